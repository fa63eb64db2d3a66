import type { PaymentChannel } from '@meridian/contracts'
import {
  DAY_MS,
  type LedgerLine,
  type OrderMoney,
  recognisedOf,
  type Stretch,
  startOf,
  walkOn,
} from './deferred-income.ts'

const BEIJING_OFFSET_MS = 8 * 3_600_000

/** A day of Asia/Shanghai as a number: the days since 1970. */
export const dayNumber = (instant: Date): number =>
  Math.floor((instant.getTime() + BEIJING_OFFSET_MS) / DAY_MS)

/** The midnight that ends it. */
export const endOfDay = (day: number): Date => new Date((day + 1) * DAY_MS - BEIJING_OFFSET_MS)

/** As it is written: YYYY-MM-DD. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** The money of an order with the instants at which we learned of it: what is learned of late is booked late. */
export type BookedOrder = Omit<OrderMoney, 'refunds'> & {
  channel: PaymentChannel
  bookedAt: Date
  refunds: readonly { succeededAt: Date; bookedAt: Date; fen: number }[]
}

/** What happens on a day to the money of one channel. */
export type IncomeMove = {
  day: number
  channel: PaymentChannel
  newFen: number
  refundedFen: number
  earnedFen: number
}

const move = (day: number, channel: PaymentChannel, fen: Partial<IncomeMove>): IncomeMove => ({
  newFen: 0,
  refundedFen: 0,
  earnedFen: 0,
  ...fen,
  day,
  channel,
})

const bookingsOf = ({ channel, amountFen, bookedAt, refunds }: BookedOrder): IncomeMove[] => [
  move(dayNumber(bookedAt), channel, { newFen: amountFen }),
  ...refunds.map((refund) => move(dayNumber(refund.bookedAt), channel, { refundedFen: refund.fen })),
]

/** What is left of the money at the end of a day, by what was booked up to then. */
function keptFen({ amountFen, bookedAt, refunds }: BookedOrder, day: number): number {
  if (dayNumber(bookedAt) > day) return 0
  return refunds.reduce(
    (left, refund) => (dayNumber(refund.bookedAt) > day ? left : left - refund.fen),
    amountFen,
  )
}

/** The next day on which something is earned or booked: while days are left, the next one. */
function dayBehind(day: number, stretches: readonly Stretch[], moved: readonly number[]): number | undefined {
  return stretches.some(({ leftMs }) => leftMs > 0) ? day + 1 : moved.find((later) => later > day)
}

export type Account = { ledger: readonly LedgerLine[]; orders: readonly BookedOrder[] }

/** The days on which something is written down, in order. */
const daysMoved = ({ ledger, orders }: Account): number[] =>
  [
    ...ledger.map(({ effectiveAt }) => dayNumber(effectiveAt)),
    ...orders.flatMap(bookingsOf).map(({ day }) => day),
  ].sort((one, other) => one - other)

function* earningsOf(account: Account): Generator<IncomeMove> {
  const { ledger, orders } = account
  const moved = daysMoved(account)
  const walk = startOf(ledger)
  const earned = new Map<bigint, number>()
  let behind = 0
  for (let day = moved[0]; day !== undefined; day = dayBehind(day, walk.stretches, moved)) {
    const midnight = endOfDay(day)
    const next = ledger.findIndex(({ effectiveAt }, line) => line >= behind && effectiveAt >= midnight)
    const until = next === -1 ? ledger.length : next
    walkOn(walk, ledger.slice(behind, until), midnight)
    behind = until
    for (const order of orders) {
      const stretch = walk.stretches.find(({ orderId }) => orderId === order.orderId)
      const recognised = stretch ? recognisedOf(keptFen(order, day), stretch) : 0
      const earnedFen = recognised - (earned.get(order.orderId) ?? 0)
      earned.set(order.orderId, recognised)
      if (earnedFen !== 0) yield move(day, order.channel, { earnedFen })
    }
  }
}

/**
 * What happens to the money of a user's orders, day by day, also on days ahead as the ledger stands: booked as new or as
 * refunded on the day we learned of it, and earned as its days pass, by the rule of `incomeAt`. What was new up to a day
 * less what was refunded and earned up to then is what is deferred at its end; money whose days are not given yet stays
 * deferred. A refund that leaves less money for days that are over takes that off what is earned on its day.
 */
export const incomeByDay = (account: Account): IncomeMove[] => [
  ...account.orders.flatMap(bookingsOf),
  ...earningsOf(account),
]
