import { formatFen, RefundOrder } from '@meridian/contracts'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { FormField, LineField } from '../../kit/act/act-form.ts'
import { typedYuan } from '../../kit/act/typed.ts'
import { paths } from '../../paths.ts'

/** How much of a number is typed to confirm. */
const CONFIRMED_CHARACTERS = 6

/** The end of a number, which is typed to confirm. */
export const endingOf = (number: string) => number.slice(-CONFIRMED_CHARACTERS)

/** How much goes back, as it is typed in yuan. */
export const TypedAmount = typedYuan.pipe(RefundOrder.shape.amountFen)

/** The fields that every refund has. */
export function useRefundFields() {
  const t = useTranslations('refunds')
  const amount = (mostFen: number): LineField => ({
    kind: 'line',
    name: 'amountFen',
    label: t('amountYuan'),
    hint: t('amountHint', { most: formatFen(mostFen) }),
    prefix: '¥',
    inputMode: 'decimal',
    maxLength: 12,
  })
  const confirmation = (label: string, ending: string): FormField => ({
    kind: 'line',
    name: 'confirmation',
    label,
    hint: t('confirmHint', { ending }),
    spellCheck: false,
    maxLength: CONFIRMED_CHARACTERS,
  })
  const note: FormField = { kind: 'text', name: 'note', label: t('note'), hint: t('noteHint'), rows: 2 }
  return { amount, note, confirmation }
}

type Requested = { status: string; outRefundNo: string }

/** What follows a refund that was asked for: what is said of it, and that its page comes next. */
export function useRequested() {
  const t = useTranslations('refunds')
  const router = useRouter()
  return {
    invalidates: ['order'],
    done: ({ status }: Requested) => t(status === 'requested' ? 'waitsForSecond' : 'onItsWay'),
    follow: ({ outRefundNo }: Requested) => router.push(paths.refund({ outRefundNo })),
  } as const
}
