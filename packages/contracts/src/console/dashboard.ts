import { z } from 'zod'
import { DASHBOARD_MOST_DAYS } from '../count-limits.ts'
import { OrderStatus } from '../order-status.ts'
import { ExportNews } from './export.ts'

const dayMs = 86_400_000
const spanOf = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / dayMs + 1

/** Days of Asia/Shanghai, both included. */
export const DashboardRange = z
  .object({ from: z.iso.date(), to: z.iso.date() })
  .refine(({ from, to }) => spanOf(from, to) >= 1 && spanOf(from, to) <= DASHBOARD_MOST_DAYS)
export type DashboardRange = z.infer<typeof DashboardRange>

/**
 * Money in and out. Gross: paid orders by the day they were paid; refunds by the day they succeeded. `virtual…`: what of
 * the gross came by virtual payment, the rest by WeChat Pay.
 */
const Money = z.object({
  grossFen: z.number(),
  refundFen: z.number(),
  netFen: z.number(),
  orders: z.int(),
  virtualFen: z.number(),
  virtualOrders: z.int(),
})
export type Money = z.infer<typeof Money>
export const RevenueDay = Money.extend({ day: z.iso.date() })
export type RevenueDay = z.infer<typeof RevenueDay>

/** A sum beside that of the days just before, as many of them. */
const Compared = z.object({ now: Money, before: Money })

export const DashboardRevenue = z.object({
  days: z.array(RevenueDay),
  /** The days just before, as many of them, in their order: each beside the day of the same place in the range. */
  daysBefore: z.array(RevenueDay),
  range: Compared,
  today: Compared,
  week: Compared,
  month: Compared,
  readAt: z.date(),
})
export type DashboardRevenue = z.infer<typeof DashboardRevenue>

/** Of the orders made in the range: how far they came. */
const Funnel = z.object({ created: z.int(), prepay: z.int(), paid: z.int() })
export type Funnel = z.infer<typeof Funnel>

export const DashboardOrders = z.object({
  byStatus: z.array(z.object({ status: OrderStatus, count: z.int() })),
  funnel: Funnel,
  funnelBefore: Funnel,
  readAt: z.date(),
})
export type DashboardOrders = z.infer<typeof DashboardOrders>

/**
 * Users who scanned in the range, and how many of them then did more within it. Each of `ordered`, `paid` and `active` is a
 * part of the one before; `treated` is a part of `scanned` alone, for nobody must treat before they buy.
 */
const UserFunnel = z.object({
  /** By the time the scan was made; the first of them in the range begins the user's way. */
  scanned: z.int(),
  /** Began a treatment after that scan. */
  treated: z.int(),
  /** Made an order after that scan. */
  ordered: z.int(),
  /** Paid such an order, whatever became of it. */
  paid: z.int(),
  /** Of those who paid, who has days now. */
  active: z.int(),
})
export type UserFunnel = z.infer<typeof UserFunnel>

export const DashboardUserFunnel = z.object({
  funnel: UserFunnel,
  funnelBefore: UserFunnel,
  readAt: z.date(),
})
export type DashboardUserFunnel = z.infer<typeof DashboardUserFunnel>

export const DashboardSubscriptions = z.object({
  active: z.int(),
  /** First days ever, in the range and in the one before. */
  fresh: z.int(),
  freshBefore: z.int(),
  /** Ended in the range and not renewed since. */
  ended: z.int(),
  endedBefore: z.int(),
  endingIn7Days: z.int(),
  endingIn30Days: z.int(),
  readAt: z.date(),
})
export type DashboardSubscriptions = z.infer<typeof DashboardSubscriptions>

/**
 * How many alerts are open, how many changes wait for a second person, and how much waits for the caller, each at most
 * one beyond the limit; and the caller's newest files.
 */
export const WaitingCounts = z.object({
  alerts: z.int(),
  approvals: z.int(),
  inbox: z.int(),
  files: z.array(ExportNews),
})
export type WaitingCounts = z.infer<typeof WaitingCounts>

export const DashboardHealth = z.object({
  /** Verified notifications of the range by what became of them. */
  notifications: z.array(z.object({ outcome: z.string(), count: z.int() })),
  rejected: z.int(),
  /** Payments of the range by how we learned of them. */
  confirmedBy: z.array(z.object({ channel: z.string(), count: z.int() })),
  alerts: z.array(z.object({ kind: z.string(), count: z.int() })),
  abnormalRefunds: z.int(),
  /** That wait for a decision; those that somebody left as they are do not. */
  parkedOrders: z.int(),
  openDifferences: z.int(),
  readAt: z.date(),
})
export type DashboardHealth = z.infer<typeof DashboardHealth>
