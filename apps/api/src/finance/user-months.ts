import { RENEWAL_DAYS } from '@meridian/contracts'
import { DAY_MS, type LedgerLine } from './deferred-income.ts'
import { type BookedOrder, dayNumber, endOfDay } from './income-by-day.ts'

/** A line of the ledger with the end of access before and after it. */
export type AccessLine = LedgerLine & {
  isPurchase: boolean
  expiresBefore: Date | null
  expiresAfter: Date
}

/** A day on which access ended, or ends as it stands; `renewed`: bought again within the days that count. */
export type AccessEnd = { day: number; renewed: boolean }

const hadAccess = ({ days, effectiveAt, expiresBefore }: AccessLine): boolean =>
  days > 0 || (expiresBefore !== null && expiresBefore > effectiveAt)

/**
 * When the access of a user ended who had bought days before: an instant at which no day was left, and nothing had been
 * added by then. Days taken back with a refund end it as well. Who has access without having bought any never counts.
 */
export function accessEnds(ledger: readonly AccessLine[]): AccessEnd[] {
  let hasBought = false
  return ledger.flatMap((line, at) => {
    hasBought ||= line.isPurchase
    const [end, next] = [line.expiresAfter, ledger[at + 1]]
    if (!hasBought || !hadAccess(line) || (next && next.effectiveAt <= end)) return []
    const inTime = end.getTime() + RENEWAL_DAYS * DAY_MS
    const renewed = ledger
      .slice(at + 1)
      .some(({ isPurchase, effectiveAt }) => isPurchase && effectiveAt.getTime() <= inTime)
    return [{ day: dayNumber(end), renewed }]
  })
}

/** A month as a number: the months since the year 0. */
const monthNumber = (instant: Date): number => {
  const day = new Date(dayNumber(instant) * DAY_MS)
  return day.getUTCFullYear() * 12 + day.getUTCMonth()
}
export const monthText = (month: number): string =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`

const endOfMonth = (month: number): Date =>
  endOfDay(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 1) / DAY_MS - 1)

/** Whether the user has access at this instant, by the lines effective before it. */
const hasAccessAt = (ledger: readonly AccessLine[], at: Date): boolean => {
  const last = ledger.findLast(({ effectiveAt }) => effectiveAt < at)
  return last !== undefined && last.expiresAfter > at
}

/** What a user did in a month since the first payment. */
export type CohortMove = { cohort: number; month: number; active: number; payers: number; netFen: number }

export type PaidOrder = BookedOrder & { paidAt: Date }

/** The money that moved, in fen, by the number of its month. */
function moneyByMonth(moves: readonly { month: number; fen: number }[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { month, fen } of moves) sums.set(month, (sums.get(month) ?? 0) + fen)
  return sums
}

const first = (months: readonly number[]): number => months.reduce((one, other) => Math.min(one, other))
const last = (months: readonly number[]): number => months.reduce((one, other) => Math.max(one, other))

/**
 * One row for each month of a user who has paid: from the month of the first payment (the cohort) to the last month with a
 * payment, a refund or access. Months ahead of now are included, with access as far as the days in the ledger reach.
 */
export function cohortMonths(ledger: readonly AccessLine[], orders: readonly PaidOrder[]): CohortMove[] {
  const payments = orders.map(({ paidAt, amountFen }) => ({ month: monthNumber(paidAt), fen: amountFen }))
  if (payments.length === 0) return []
  const refunds = orders.flatMap((order) =>
    order.refunds.map(({ succeededAt, fen }) => ({ month: monthNumber(succeededAt), fen: -fen })),
  )
  const paying = moneyByMonth(payments)
  const net = moneyByMonth([...payments, ...refunds])
  const cohort = first([...paying.keys()])
  const ends = ledger.map(({ expiresAfter }) => monthNumber(expiresAfter))
  return Array.from({ length: last([...net.keys(), ...ends]) - cohort + 1 }, (_, since) => {
    const month = cohort + since
    return {
      cohort,
      month,
      active: hasAccessAt(ledger, endOfMonth(month)) ? 1 : 0,
      payers: paying.has(month) ? 1 : 0,
      netFen: net.get(month) ?? 0,
    }
  })
}
