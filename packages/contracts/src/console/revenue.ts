import { z } from 'zod'
import { PaymentChannel } from '../order-status.ts'
import { pageFields } from '../paging.ts'
import { Month } from './finance.ts'

/** Who buys again within so many days after access ended has renewed; who does not is lost. */
export const RENEWAL_DAYS = 7

/** A month, of one payment channel or of all. */
export const DeferredQuery = z.object({ month: Month, channel: PaymentChannel.optional() })
export type DeferredQuery = z.infer<typeof DeferredQuery>

/** The same as a list that is taken out: it has no order but that of its days, and one page. */
export const DeferredListQuery = DeferredQuery.extend(pageFields)
export type DeferredListQuery = z.infer<typeof DeferredListQuery>

/** Deferred income over a day: opening and new, less refunded and earned, is closing. */
export const DeferredDay = z.object({
  day: z.iso.date(),
  openingFen: z.number(),
  newFen: z.number(),
  refundedFen: z.number(),
  earnedFen: z.number(),
  closingFen: z.number(),
})
export type DeferredDay = z.infer<typeof DeferredDay>

const Money = z.object({ grossFen: z.number(), refundFen: z.number() })

/**
 * Deferred income of a month, up to the day that was reached. `ahead`: what is earned after that, by month, as the ledger
 * stands. `withoutDaysFen`: of what is deferred, the money whose days are not given yet.
 */
export const DeferredIncome = z.object({
  month: Month,
  channel: PaymentChannel.nullable(),
  /** Everything written before it is in the figures; null until all of the past was taken in once. */
  reachedAt: z.date().nullable(),
  days: z.array(DeferredDay),
  ahead: z.array(z.object({ month: Month, fen: z.number() })),
  withoutDaysFen: z.number(),
  /** All orders of all time as they stand, and what of that is not in the figures yet. */
  ledger: Money.extend({ pending: Money }),
  /** What was new, refunded and earned up to the day that was reached. */
  total: Money.extend({ earnedFen: z.number(), deferredFen: z.number() }),
  /** By how much the figures and what is pending miss the ledger: 0, or something is broken. */
  differenceFen: z.number(),
})
export type DeferredIncome = z.infer<typeof DeferredIncome>

/** How many months a range has at most. */
export const MOST_REVENUE_MONTHS = 24

const monthsBetween = ({ from, to }: { from: Month; to: Month }): number => {
  const [first, last] = [from, to].map((month) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)))
  return (last ?? 0) - (first ?? 0) + 1
}

/** Months, both included. */
export const MonthRange = z
  .object({ from: Month, to: Month })
  .refine((range) => monthsBetween(range) >= 1 && monthsBetween(range) <= MOST_REVENUE_MONTHS)
export type MonthRange = z.infer<typeof MonthRange>

/**
 * Users who had bought days and whose access ended on days of the month that are over. `renewed`: bought again within
 * RENEWAL_DAYS; `lost`: did not; `open`: did not so far, and still can.
 */
export const ChurnMonth = z.object({
  month: Month,
  ended: z.int(),
  renewed: z.int(),
  lost: z.int(),
  open: z.int(),
})
export type ChurnMonth = z.infer<typeof ChurnMonth>

export const Churn = z.object({ months: z.array(ChurnMonth), reachedAt: z.date().nullable() })
export type Churn = z.infer<typeof Churn>

/** What the users of a cohort did in one month: who paid, what was paid less refunds, and who had access at its end. */
export const CohortCell = z.object({
  month: Month,
  active: z.int(),
  payers: z.int(),
  netFen: z.number(),
})
export type CohortCell = z.infer<typeof CohortCell>

/** Users who paid for the first time in `month`, and every month since; of the month it is, access as it stands. */
export const Cohort = z.object({ month: Month, users: z.int(), cells: z.array(CohortCell) })
export type Cohort = z.infer<typeof Cohort>

export const Cohorts = z.object({ cohorts: z.array(Cohort), reachedAt: z.date().nullable() })
export type Cohorts = z.infer<typeof Cohorts>
