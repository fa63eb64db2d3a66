import { formatFen, SettingKey, type WaitingApproval } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { z } from 'zod'

const Price = z.object({ priceFen: z.int(), durationDays: z.int() })
const Kept = z.object({ value: z.union([z.string(), z.number(), z.boolean()]) })
const Refund = z.object({ amountFen: z.int() })
const Grant = z.object({ days: z.int(), reason: z.string() })

export type ApprovalWords = { name: string; change: string | null }

/** What is asked for, and what would become of what: in words, short enough for a row. */
export function useApprovalWords(): (waiting: WaitingApproval) => ApprovalWords {
  const t = useTranslations('approvals')
  const settings = useTranslations('settings.names')
  const arrow = (before: string | null, after: string) => (before ? t('fromTo', { before, after }) : after)
  const priceOf = (value: unknown): string | null => {
    const price = Price.safeParse(value).data
    return price ? t('price', { amount: formatFen(price.priceFen), days: price.durationDays }) : null
  }
  const settingOf = (key: SettingKey, value: unknown): string | null => {
    const kept = Kept.safeParse(value).data
    if (!kept) return null
    return key.includes('_fen') && typeof kept.value === 'number' ? formatFen(kept.value) : String(kept.value)
  }
  return ({ kind, subject, before, after }) => {
    if (kind === 'refund') {
      const refund = Refund.safeParse(after).data
      return {
        name: t('names.refund', { amount: refund ? formatFen(refund.amountFen) : '' }),
        change: subject,
      }
    }
    if (kind === 'refund_stop') return { name: t('names.refundStop'), change: subject }
    if (kind === 'grant') {
      const grant = Grant.safeParse(after).data
      return { name: t('names.grant', { days: grant?.days ?? 0 }), change: grant?.reason ?? null }
    }
    if (kind === 'plan') {
      const price = priceOf(after)
      return { name: t('names.plan', { plan: subject }), change: price && arrow(priceOf(before), price) }
    }
    if (kind === 'diagnosis') return { name: t('names.diagnosis', { version: subject }), change: null }
    const key = SettingKey.safeParse(subject).data
    if (!key) return { name: subject, change: null }
    const value = settingOf(key, after)
    return {
      name: t('names.setting', { setting: settings(key) }),
      change: value && arrow(settingOf(key, before), value),
    }
  }
}
