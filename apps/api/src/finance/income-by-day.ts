import type { PaymentChannel } from '@meridian/contracts'
import {
  DAY_MS,
  hasDaysLeft,
  type LedgerLine,
  type OrderMoney,
  recognisedOf,
  type Stretch,
  startOf,
  type Walk,
  walkOn,
} from './deferred-income.ts'

const BEIJING_OFFSET_MS = 8 * 3_600_000

/** A day of Asia/Shanghai as a number: the days since 1970. */
export const dayNumber = (instant: Date): number =>
  Math.floor((instant.getTime() + BEIJING_OFFSET_MS) / DAY_MS)

/** The midnight that ends it. */
export const endOfDay = (day: number): Date => new Date((day + 1) * DAY_MS - BEIJING_OFFSET_MS)

/** The last day whose year has four digits: what lies beyond it is booked on it, so that no ledger is too long to be kept. */
export const lastDay = Date.UTC(9999, 11, 31) / DAY_MS

/** As it is written: YYYY-MM-DD. */
export const dayText = (day: number): string =>
  new Date(Math.min(day, lastDay) * DAY_MS).toISOString().slice(0, 10)

/** The money of an order with the instants at which we learned of it: what is learned of late is booked late. */
export type BookedOrder = Omit<OrderMoney, 'refunds'> & {
  channel: PaymentChannel
  bookedAt: Date
  refunds: readonly { succeededAt: Date; bookedAt: Date; fen: number }[]
}

/** Income of one day and channel, in fen: new and refunded by the day of booking, earned by the day that passed. */
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

export type Account = { ledger: readonly LedgerLine[]; orders: readonly BookedOrder[] }

/** The days on which something is written down, in order. */
const daysMoved = ({ ledger, orders }: Account): number[] =>
  [
    ...ledger.map(({ effectiveAt }) => dayNumber(effectiveAt)),
    ...orders.flatMap(bookingsOf).map(({ day }) => day),
  ].sort((one, other) => one - other)

/** A ledger that is walked along from midnight to midnight. */
function walkDays(ledger: readonly LedgerLine[]) {
  const walk = startOf(ledger)
  let behind = 0
  const toEndOf = (day: number) => {
    const midnight = endOfDay(day)
    const lines: LedgerLine[] = []
    for (let line = ledger[behind]; line && line.effectiveAt < midnight; line = ledger[behind]) {
      lines.push(line)
      behind += 1
    }
    walkOn(walk, lines, midnight)
  }
  return { walk, toEndOf }
}

/** The orders whose money moves on a day, by that day. */
function ordersByDay(orders: readonly BookedOrder[]): Map<number, bigint[]> {
  const moved = new Map<number, bigint[]>()
  for (const order of orders)
    for (const { day } of bookingsOf(order)) moved.set(day, [...(moved.get(day) ?? []), order.orderId])
  return moved
}

/** Follows how much of each order is recognised. The function it returns is called for ascending days and yields the change of each. */
function watchRecognised({ changed }: Walk, orders: readonly BookedOrder[]) {
  const orderOf = new Map(orders.map((order) => [order.orderId, order]))
  const moved = ordersByDay(orders)
  const stretchOf = new Map<bigint, Stretch>()
  const recognised = new Map<bigint, number>()
  return function* changesOn(day: number): Generator<IncomeMove> {
    const touched = new Set(moved.get(day))
    for (const stretch of changed) {
      const { orderId } = stretch
      if (orderId === null) continue
      if (!stretchOf.has(orderId)) stretchOf.set(orderId, stretch)
      touched.add(orderId)
    }
    changed.clear()
    for (const orderId of touched) {
      const [order, stretch] = [orderOf.get(orderId), stretchOf.get(orderId)]
      if (!order || !stretch) continue
      const fen = recognisedOf(keptFen(order, day), stretch)
      const earnedFen = fen - (recognised.get(orderId) ?? 0)
      recognised.set(orderId, fen)
      if (earnedFen !== 0) yield move(day, order.channel, { earnedFen })
    }
  }
}

/** What is earned from a day on. The cost of a day depends on what changes on it, not on the number of the user's orders. */
function* earningsOf(account: Account, from: number): Generator<IncomeMove> {
  const moved = daysMoved(account)
  const { walk, toEndOf } = walkDays(account.ledger)
  const changesOn = watchRecognised(walk, account.orders)
  let ahead = 0
  // While days are left, something may be earned on the next one.
  const dayBehind = (day: number) => {
    while ((moved[ahead] ?? Number.POSITIVE_INFINITY) <= day) ahead += 1
    return hasDaysLeft(walk) ? day + 1 : moved[ahead]
  }
  toEndOf(from - 1)
  for (const _before of changesOn(from - 1));
  for (let day = dayBehind(from - 1); day !== undefined; day = dayBehind(day)) {
    toEndOf(day)
    yield* changesOn(day)
  }
}

/**
 * What happens to the money of a user's orders, day by day from one day on, also on days ahead as the ledger stands:
 * booked as new or as refunded on the day we learned of it, and earned as its days pass, by the rule of `incomeAt`. What
 * was new up to a day less what was refunded and earned up to then is what is deferred at its end; money whose days are
 * not given yet stays deferred. A refund that leaves less money for days that are over takes that off what is earned on
 * its day.
 */
export const incomeByDay = (account: Account, from = daysMoved(account)[0] ?? 0): IncomeMove[] => [
  ...account.orders.flatMap(bookingsOf).filter(({ day }) => day >= from),
  ...earningsOf(account, from),
]
