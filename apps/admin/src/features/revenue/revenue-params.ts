import { type Month, monthAfter, PaymentChannel } from '@meridian/contracts'
import { parseAsStringLiteral } from 'nuqs/server'
import { financeParsers, monthOf } from '../finance/finance-params.ts'

/** How many months churn and cohorts are shown of, up to the one that is chosen. */
export const spans = ['6', '12', '24'] as const
/** What of a cohort is shown. */
export const measures = ['access', 'paid', 'net'] as const
export type Measure = (typeof measures)[number]

/** What the page of revenue shows, as it stands in the address. */
export const revenueParsers = {
  ...financeParsers,
  channel: parseAsStringLiteral(PaymentChannel.options),
  span: parseAsStringLiteral(spans).withDefault('12'),
  measure: parseAsStringLiteral(measures).withDefault('access'),
}

type Asked = { month: Month | null; channel: PaymentChannel | null; span: (typeof spans)[number] }

/** What is read for it, on this day. */
export function revenueQueries({ month: chosen, channel, span }: Asked, today: string) {
  const month = chosen ?? monthOf(today)
  return {
    deferred: { month, ...(channel && { channel }) },
    range: { from: monthAfter(month, 1 - Number(span)), to: month },
  }
}
