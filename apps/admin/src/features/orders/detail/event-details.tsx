import { formatFen, type OrderEvent } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { Identifier } from '../../../ui/identifier.tsx'
import { Link } from '../../../ui/link.tsx'
import { Raw } from '../../../ui/text.tsx'
import timeline from './timeline.module.css'

export const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** A number by which somebody else finds the call again. */
export function CallNumber({ name, value }: { name: string; value: string }) {
  return (
    <span className={timeline['request']}>
      {name} <Identifier value={value} name={name} />
    </span>
  )
}

/** What the sheet of virtual payment failed with on the phone; its number stands beside the word, marked as raw. */
function SheetError({ code }: { code: unknown }) {
  const words: Readonly<Record<string, string>> = useMessages().order.sheetErrors
  if (typeof code !== 'number') return null
  const word = words[String(Math.abs(code))]
  return (
    <>
      {word && <span>{word}</span>}
      <Raw>{String(code)}</Raw>
    </>
  )
}

/** What Apple was told. */
function Opinion({ letPass }: { letPass: unknown }) {
  const t = useTranslations('order')
  return typeof letPass === 'boolean' ? <span>{t(letPass ? 'inquiryPassed' : 'inquiryRefused')}</span> : null
}

/** What an event says beside its kind: the refund or attempt it is about, why somebody decided so, what the platform called it. */
export function EventDetails({ event: { kind, detail } }: { event: OrderEvent }) {
  const t = useTranslations('order')
  const { out_refund_no, amount_fen: amountFen, note, platform_code, platform_state } = detail
  const outRefundNo = textIn(out_refund_no)
  const reason = textIn(note)
  const platformWord = textIn(platform_code) ?? textIn(platform_state)
  const attemptNo = textIn(detail['attempt_no']) ?? textIn(detail['number'])
  return (
    <>
      {outRefundNo && (
        <Link href={paths.refund({ outRefundNo })}>
          {typeof amountFen === 'number' ? formatFen(-amountFen) : outRefundNo}
        </Link>
      )}
      {attemptNo && <CallNumber name={t('attemptNo')} value={attemptNo} />}
      {kind === 'sheet_error' && <SheetError code={detail['code']} />}
      <Opinion letPass={detail['let_pass']} />
      {reason && <span>{reason}</span>}
      {platformWord && <Raw>{platformWord}</Raw>}
    </>
  )
}
