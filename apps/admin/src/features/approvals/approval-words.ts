import { formatFen, type Permission, type WaitingApproval, type WaitingKind } from '@meridian/contracts'
import { useLocale, useMessages, useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { planNameIn } from '../plans/plan-name.ts'

/** A member of what was kept of a change: it may be of a release that knows more. */
const memberOf = (kept: unknown, name: string): unknown =>
  typeof kept === 'object' && kept !== null ? Reflect.get(kept, name) : undefined

const textOf = (kept: unknown, name: string): string | null => {
  const value = memberOf(kept, name)
  return typeof value === 'string' ? value : null
}

const numberOf = (kept: unknown, name: string): number | null => {
  const value = memberOf(kept, name)
  return typeof value === 'number' ? value : null
}

type ApprovalWords = { name: string; change: string | null }

/** What is asked for, and what would become of what: in words, short enough for a row. */
export function useApprovalWords(): (waiting: WaitingApproval) => ApprovalWords {
  const t = useTranslations('approvals')
  const language = useLocale()
  const settings: Readonly<Record<string, string>> = useMessages().settings.names
  const arrow = (before: string | null, after: string) => (before ? t('fromTo', { before, after }) : after)
  const priceOf = (kept: unknown): string | null => {
    const [fen, days] = [numberOf(kept, 'priceFen'), numberOf(kept, 'durationDays')]
    return fen === null || days === null ? null : t('price', { amount: formatFen(fen), days })
  }
  const settingOf = (key: string, kept: unknown): string | null => {
    const value = memberOf(kept, 'value')
    if (typeof value === 'number' && key.includes('_fen')) return formatFen(value)
    return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null
  }
  return ({ kind, subject, before, after }) => {
    if (kind === 'refund') {
      const fen = numberOf(after, 'amountFen')
      return { name: t('names.refund', { amount: fen === null ? '' : formatFen(fen) }), change: subject }
    }
    if (kind === 'refund_stop') return { name: t('names.refundStop'), change: subject }
    if (kind === 'grant') {
      return {
        name: t('names.grant', { days: numberOf(after, 'days') ?? 0 }),
        change: textOf(after, 'reason'),
      }
    }
    if (kind === 'plan') {
      const price = priceOf(after)
      const named = {
        name: textOf(after, 'planName') ?? textOf(after, 'name') ?? subject,
        nameEn: textOf(after, 'planNameEn') ?? textOf(after, 'nameEn'),
      }
      return {
        name: t('names.plan', { plan: planNameIn(named, language) }),
        change: price && arrow(priceOf(before), price),
      }
    }
    if (kind === 'diagnosis') return { name: t('names.diagnosis', { version: subject }), change: null }
    const setting = settings[subject]
    if (!setting) return { name: subject, change: null }
    const value = settingOf(subject, after)
    return {
      name: t('names.setting', { setting }),
      change: value && arrow(settingOf(subject, before), value),
    }
  }
}

/** For each kind of approval the page that decides it, and the permission it takes. */
export const desks: Readonly<
  Record<WaitingKind, { permission: Permission; href: (waiting: WaitingApproval) => string }>
> = {
  refund: { permission: 'refund.approve', href: ({ subject }) => paths.refund({ outRefundNo: subject }) },
  refund_stop: {
    permission: 'refund.approve',
    href: ({ subject }) => paths.refund({ outRefundNo: subject }),
  },
  grant: { permission: 'grant.approve', href: ({ subject }) => paths.subscription({ userId: subject }) },
  plan: { permission: 'plan.edit', href: () => paths.plans() },
  setting: { permission: 'setting.edit', href: () => paths.settings() },
  diagnosis: { permission: 'diagnosis.publish', href: () => paths.diagnosis() },
}
