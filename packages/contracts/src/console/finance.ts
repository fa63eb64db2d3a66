import { z } from 'zod'
import { PaymentChannel } from '../order-status.ts'

/** A month of Asia/Shanghai: YYYY-MM. */
export const Month = z.string().regex(/^20\d{2}-(0[1-9]|1[0-2])$/)
export type Month = z.infer<typeof Month>

export const MonthReference = z.object({ month: Month })
export type MonthReference = z.infer<typeof MonthReference>

/**
 * Money of a day or a month. Gross: payments by the time they were paid. Refunds: by the time they succeeded. Fees: of
 * WeChat Pay those of the day's trade bill, of virtual payment those settled on the day.
 */
export const FinanceSums = z.object({
  orders: z.int(),
  grossFen: z.number(),
  refunds: z.int(),
  refundFen: z.number(),
  feeFen: z.number(),
})
export type FinanceSums = z.infer<typeof FinanceSums>

/** The sums of one payment channel. */
export const ChannelFinance = FinanceSums.extend({ channel: PaymentChannel })
export type ChannelFinance = z.infer<typeof ChannelFinance>

/**
 * How far a day is. `ahead`: it is not over. `waiting`: its bills were not compared yet. `differences`: something does not
 * agree and nobody has said how that ended. `reconciled`: it can be closed.
 */
export const financeDayStates = ['ahead', 'waiting', 'differences', 'reconciled', 'closed'] as const
export const FinanceDayState = z.enum(financeDayStates)
export type FinanceDayState = z.infer<typeof FinanceDayState>

export const FinanceDay = FinanceSums.extend({
  day: z.iso.date(),
  state: FinanceDayState,
  openDifferences: z.int(),
  /** Of WeChat Pay: whether the bill that names the fees of the day is here. */
  hasBill: z.boolean(),
})
export type FinanceDay = z.infer<typeof FinanceDay>

/** A month as it was closed. */
export const MonthClosing = z.object({
  closedAt: z.date(),
  closedBy: z.string(),
  /** How many payments and refunds it holds, and the SHA-256 over them. */
  rows: z.int(),
  checksum: z.string(),
  channels: z.array(ChannelFinance),
})
export type MonthClosing = z.infer<typeof MonthClosing>

/**
 * A payment or a refund of a closed month that was learned of after its closing: it is booked in the month in which it
 * was learned of.
 */
export const LateEntry = z.object({
  kind: z.enum(['payment', 'refund']),
  channel: PaymentChannel,
  outTradeNo: z.string(),
  outRefundNo: z.string().nullable(),
  amountFen: z.int(),
  /** When it happened, by the platform's clock. */
  happenedAt: z.date(),
  /** When it was learned of, after the closing. */
  bookedAt: z.date(),
})
export type LateEntry = z.infer<typeof LateEntry>

/** How many late entries a month is shown with. */
export const LATE_ENTRIES_SHOWN = 200

/**
 * A month of finance. `channels` and `before` are as of now; of a closed month `closing` is what was closed, and `changed`
 * what its days add up to beyond that. `late`: entries of closed months that are booked in this one.
 */
export const FinanceMonth = z.object({
  month: Month,
  channels: z.array(ChannelFinance),
  before: z.array(ChannelFinance),
  days: z.array(FinanceDay),
  closing: MonthClosing.nullable(),
  changed: FinanceSums.nullable(),
  late: z.array(LateEntry),
  readAt: z.date(),
})
export type FinanceMonth = z.infer<typeof FinanceMonth>

export const MonthClosingVerdict = z.enum(['closed', 'already_closed', 'open_days'])
export type MonthClosingVerdict = z.infer<typeof MonthClosingVerdict>

/** What became of a closing; `openDays` are those that stand in its way. */
export const MonthClosingAnswer = z.object({
  verdict: MonthClosingVerdict,
  openDays: z.array(z.iso.date()),
})
export type MonthClosingAnswer = z.infer<typeof MonthClosingAnswer>

/** What of the money of an order, less its refunds, belongs to days that are over, and what to days that are not. */
export const IncomeReading = z.object({ recognisedFen: z.int(), deferredFen: z.int(), readAt: z.date() })
export type IncomeReading = z.infer<typeof IncomeReading>

/** What a plan brought in a month by one channel. */
export const PlanRevenue = FinanceSums.omit({ feeFen: true }).extend({
  planCode: z.string(),
  planName: z.string(),
  channel: PaymentChannel,
  /** Purchases by who never had days before, and by who had. */
  firsts: z.int(),
  renewals: z.int(),
})
export type PlanRevenue = z.infer<typeof PlanRevenue>

export const PlanRevenueMonth = z.object({ month: Month, rows: z.array(PlanRevenue) })
export type PlanRevenueMonth = z.infer<typeof PlanRevenueMonth>

const noMoney: FinanceSums = { orders: 0, grossFen: 0, refunds: 0, refundFen: 0, feeFen: 0 }

/** Several sums as one. */
export const addFinance = (parts: readonly FinanceSums[]): FinanceSums =>
  parts.reduce<FinanceSums>(
    (sum, part) => ({
      orders: sum.orders + part.orders,
      grossFen: sum.grossFen + part.grossFen,
      refunds: sum.refunds + part.refunds,
      refundFen: sum.refundFen + part.refundFen,
      feeFen: sum.feeFen + part.feeFen,
    }),
    noMoney,
  )

/** What is left of what was paid: less refunds; fees stand beside it. */
export const netFenOf = ({ grossFen, refundFen }: FinanceSums): number => grossFen - refundFen

const monthAt = (month: Month, by: number): Date => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1))
}
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** The month that lies so many months later, or earlier. */
export const monthAfter = (month: Month, by: number): Month => dayOf(monthAt(month, by)).slice(0, 7)

/** Its first and its last day. */
export const daysOfMonth = (month: Month): { from: string; to: string } => ({
  from: `${month}-01`,
  to: dayOf(new Date(monthAt(month, 1).getTime() - 86_400_000)),
})
