import { formatFen } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { formatCount } from '../../../format.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import type { Fact } from '../../../ui/description-list.tsx'
import { Identifier } from '../../../ui/identifier.tsx'

/** Told elsewhere on the page: as orders, a refund, a notification, a table of what differs, a badge. */
const shownElsewhere: readonly string[] = [
  'order',
  'orders',
  'out_trade_no',
  'notification',
  'fields',
  'differs',
  'severity',
]

const numbers: readonly string[] = ['transaction_id', 'out_refund_no', 'newest_job_id']

const isTime = (key: string) => key.endsWith('_at') || key === 'since' || key === 'due'

type Lists = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The words for a value that is a code, by the member it stands in. */
function useCodes(): Lists {
  const { alerts, order, notifications, refunds } = useMessages()
  const reasons = { ...notifications.reasons, ...order.parkReasons }
  return {
    reason: reasons,
    invariant: order.parkReasons,
    ours: refunds.statuses,
    theirs: refunds.statuses,
    sum: alerts.codes,
    change: alerts.codes,
  }
}

const Price = ({ priceFen, durationDays }: { priceFen: number; durationDays: number }) => {
  const t = useTranslations('alerts')
  return <>{t('priceOf', { amount: formatFen(priceFen), days: durationDays })}</>
}

function isPrice(value: object): value is { priceFen: number; durationDays: number } {
  return 'priceFen' in value && typeof value.priceFen === 'number' && 'durationDays' in value
}

/** A value for people: an amount, a moment, a number, the word for a code, or as it is. */
function useValue(): (key: string, value: unknown) => ReactNode {
  const t = useTranslations('alerts')
  const codes = useCodes()
  return (key, value) => {
    if (value === null || value === undefined) return null
    if (key === 'skewMs' && typeof value === 'number')
      return t('seconds', { seconds: Math.round(value / 1000) })
    if (typeof value === 'number') return key.endsWith('_fen') ? formatFen(value) : formatCount(value)
    if (typeof value === 'string') {
      if (isTime(key) && !Number.isNaN(Date.parse(value))) return <DateTime time={new Date(value)} exact />
      if (numbers.includes(key)) return <Identifier value={value} name={key} whole />
      return codes[key]?.[value] ?? value
    }
    if (Array.isArray(value)) return value.map(String).join(' · ')
    if (typeof value === 'object' && isPrice(value)) return <Price {...value} />
    return <code>{JSON.stringify(value)}</code>
  }
}

/** What the alert kept when it opened, in words. A member that is newer than this console is named as it is. */
export function useDetailFacts(detail: Record<string, unknown>): Fact[] {
  const terms: Readonly<Record<string, string>> = useMessages().alerts.facts
  const toValue = useValue()
  return Object.entries(detail)
    .filter(([key]) => !shownElsewhere.includes(key))
    .map(([key, value]) => ({ key, term: terms[key] ?? key, value: toValue(key, value) }))
}
