import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addChange, noSums } from '../../src/finance/account-sums.ts'
import {
  incomeAt,
  type LedgerLine,
  type OrderMoney,
  shareOfDays,
  stretchesAt,
} from '../../src/finance/deferred-income.ts'
import {
  type BookedOrder,
  dayNumber,
  dayText,
  endOfDay,
  incomeByDay,
  lastDay,
} from '../../src/finance/income-by-day.ts'

const DAY = 24 * 3_600_000
const start = Date.parse('2026-01-01T00:00:00Z')
const at = (days: number) => new Date(start + days * DAY)

describe('a sum spread over days', () => {
  test('loses nothing, and no day has more than a fen more than another', () => {
    fc.assert(
      fc.property(fc.nat(100_000_000), fc.integer({ min: 1, max: 3660 }), (fen, of) => {
        const upTo = (days: number) => shareOfDays(fen, { days, of })
        expect([upTo(0), upTo(of)]).toEqual([0, fen])
        const parts = Array.from({ length: Math.min(of, 50) }, (_, day) => upTo(day + 1) - upTo(day))
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('the income of an order', () => {
  const month: LedgerLine = { effectiveAt: at(0), days: 30, orderId: 1n }
  const paid: OrderMoney = { orderId: 1n, amountFen: 2900, refunds: [] }
  const of = (ledger: LedgerLine[], orders: OrderMoney[], day: number) =>
    incomeAt({ ledger, orders }, at(day))

  test('moves from deferred to recognised day by day, a begun day not yet', () => {
    expect(of([month], [paid], 0)).toMatchObject([{ recognisedFen: 0, deferredFen: 2900 }])
    expect(of([month], [paid], 0.99)).toMatchObject([{ recognisedFen: 0 }])
    expect(of([month], [paid], 1)).toMatchObject([{ recognisedFen: 97, deferredFen: 2803 }])
    expect(of([month], [paid], 29.5)).toMatchObject([{ deferredFen: 96 }])
    expect(of([month], [paid], 30)).toMatchObject([{ recognisedFen: 2900, deferredFen: 0 }])
  })

  test('is not there before its days are', () => {
    expect(of([month], [paid], -1)).toEqual([])
  })

  test('waits while days that nobody paid for are used, and is used before those that come later', () => {
    const free = { effectiveAt: at(-5), days: 10, orderId: null }
    const second = { effectiveAt: at(1), days: 30, orderId: 2n }
    const orders = [paid, { ...paid, orderId: 2n }]
    expect(of([free, month, second], orders, 5)).toMatchObject([{ recognisedFen: 0 }, { recognisedFen: 0 }])
    expect(of([free, month, second], orders, 35)).toMatchObject([{ deferredFen: 0 }, { recognisedFen: 0 }])
  })

  test('takes what was refunded off both, with the days that went back with it', () => {
    const back = { effectiveAt: at(10), days: -20, orderId: 1n }
    const refunded = { ...paid, refunds: [{ succeededAt: at(10), fen: 1900 }] }
    expect(of([month, back], [refunded], 9)).toMatchObject([{ refundedFen: 0, recognisedFen: 873 }])
    expect(of([month, back], [refunded], 10)).toEqual([
      { orderId: 1n, receivedFen: 2900, refundedFen: 1900, recognisedFen: 1000, deferredFen: 0 },
    ])
  })

  test('keeps the days where they were kept: what is left of the money is spread over all of them', () => {
    const refunded = { ...paid, refunds: [{ succeededAt: at(10), fen: 1400 }] }
    expect(of([month], [refunded], 10)).toMatchObject([{ recognisedFen: 500, deferredFen: 1000 }])
  })

  test('counts days that were removed by hand as used', () => {
    const removed = { effectiveAt: at(0), days: -15, orderId: null }
    expect(of([month, removed], [paid], 0)).toMatchObject([{ recognisedFen: 1455, deferredFen: 1445 }])
  })
})

type Step = {
  kind: 'buy' | 'give' | 'remove' | 'refund'
  afterMs: number
  days: number
  fen: number
  which: number
}

/** A ledger as the rule of days writes it, with the end that it stores. */
function play(steps: readonly Step[]) {
  const ledger: LedgerLine[] = []
  const orders: (OrderMoney & { refunds: { succeededAt: Date; fen: number }[] })[] = []
  let [now, end] = [start, start]
  const write = (line: Omit<LedgerLine, 'effectiveAt'>) => {
    ledger.push({ ...line, effectiveAt: new Date(now) })
    end = Math.max(now, Math.max(now, end) + line.days * DAY)
  }
  for (const { kind, afterMs, days, fen, which } of steps) {
    now += afterMs
    const order = orders[which % Math.max(orders.length, 1)]
    if (kind === 'buy') {
      const orderId = BigInt(orders.length + 1)
      orders.push({ orderId, amountFen: fen, refunds: [] })
      write({ days, orderId })
    } else if (kind === 'give') write({ days, orderId: null })
    else if (kind === 'remove') write({ days: -days, orderId: null })
    else if (order) {
      const left = order.amountFen - order.refunds.reduce((sum, refund) => sum + refund.fen, 0)
      order.refunds.push({ succeededAt: new Date(now), fen: Math.min(fen, left) })
      const own = stretchesAt(ledger, new Date(now)).find(({ orderId }) => orderId === order.orderId)
      const taken = Math.min(days, Math.ceil((own?.leftMs ?? 0) / DAY))
      if (taken > 0) write({ days: -taken, orderId: order.orderId })
    }
  }
  return { ledger, orders, now, end }
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('buy', 'give', 'remove', 'refund'),
    afterMs: fc.nat(60 * DAY),
    days: fc.integer({ min: 1, max: 366 }),
    fen: fc.integer({ min: 1, max: 100_000 }),
    which: fc.nat(20),
  }) satisfies fc.Arbitrary<Step>,
  { maxLength: 25 },
)

test('whatever happens, what is left in days is what the ledger says, and no fen is lost', () => {
  fc.assert(
    fc.property(steps, fc.nat(400 * DAY), (played, laterMs) => {
      const { ledger, orders, now, end } = play(played)
      const moment = new Date(now + laterMs)
      const left = stretchesAt(ledger, moment).reduce((sum, { leftMs }) => sum + leftMs, 0)
      expect(left).toBe(Math.max(0, end - moment.getTime()))
      const incomes = incomeAt({ ledger, orders }, moment)
      expect(incomes).toHaveLength(orders.length)
      for (const { receivedFen, refundedFen, recognisedFen, deferredFen } of incomes) {
        expect(recognisedFen + deferredFen).toBe(receivedFen - refundedFen)
        expect(Math.min(recognisedFen, deferredFen)).toBeGreaterThanOrEqual(0)
      }
      if (left === 0) expect(incomes.filter(({ deferredFen }) => deferredFen > 0)).toEqual([])
    }),
  )
})

/** The same money, each payment learned of so much later than its days began, each refund so much later than it succeeded. */
const booked = (
  orders: readonly OrderMoney[],
  ledger: readonly LedgerLine[],
  lateMs: number,
): BookedOrder[] =>
  orders.map((order) => {
    const days = ledger.find(({ orderId, days }) => orderId === order.orderId && days > 0)
    const late = (instant: Date) => new Date(instant.getTime() + lateMs)
    return {
      ...order,
      channel: order.orderId % 2n === 0n ? 'virtual' : 'jsapi',
      bookedAt: late(days?.effectiveAt ?? at(0)),
      refunds: order.refunds.map((refund) => ({ ...refund, bookedAt: late(refund.succeededAt) })),
    }
  })

/** What is deferred at the end of a day, order by order, as it was known then. */
const deferredAtEnd = (ledger: readonly LedgerLine[], orders: readonly BookedOrder[], day: number) => {
  const known = orders
    .filter(({ bookedAt }) => dayNumber(bookedAt) <= day)
    .map((order) => ({
      ...order,
      refunds: order.refunds
        .filter(({ bookedAt }) => dayNumber(bookedAt) <= day)
        .map(({ fen }) => ({ fen, succeededAt: new Date(0) })),
    }))
  // A line of the very midnight is of the day that begins.
  const before = new Date(endOfDay(day).getTime() - 1)
  const lines = ledger.filter(({ effectiveAt }) => effectiveAt <= before)
  const incomes = incomeAt({ ledger: lines, orders: known }, endOfDay(day))
  const spread = incomes.reduce((sum, { deferredFen }) => sum + deferredFen, 0)
  const withoutDays = known
    .filter(({ orderId }) => !incomes.some((income) => income.orderId === orderId))
    .reduce((sum, order) => sum + order.amountFen - order.refunds.reduce((back, { fen }) => back + fen, 0), 0)
  return spread + withoutDays
}

describe('income day by day', () => {
  test('closes every day with what is deferred order by order, whatever happens and however late it is learned of', () => {
    fc.assert(
      fc.property(steps, fc.nat(3 * DAY), (played, lateMs) => {
        const { ledger, orders } = play(played)
        const late = booked(orders, ledger, lateMs)
        const moves = incomeByDay({ ledger, orders: late })
        const days = [...new Set(moves.map(({ day }) => day))].sort((one, other) => one - other)
        let closing = 0
        for (const day of days) {
          for (const move of moves.filter((one) => one.day === day))
            closing += move.newFen - move.refundedFen - move.earnedFen
          expect(closing).toBe(deferredAtEnd(ledger, late, day))
        }
        const sum = (figure: 'newFen' | 'refundedFen' | 'earnedFen') =>
          moves.reduce((total, move) => total + move[figure], 0)
        const received = orders.reduce((total, { amountFen }) => total + amountFen, 0)
        const refunded = orders.flatMap(({ refunds }) => refunds).reduce((total, { fen }) => total + fen, 0)
        expect([sum('newFen'), sum('refundedFen')]).toEqual([received, refunded])
        expect(sum('earnedFen')).toBe(received - refunded)
      }),
      { numRuns: 60 },
    )
  })

  test('is the same from any day on, whatever lies before it', () => {
    fc.assert(
      fc.property(steps, fc.nat(800), (played, dayAfter) => {
        const { ledger, orders } = play(played)
        const account = { ledger, orders: booked(orders, ledger, DAY) }
        const from = dayNumber(at(dayAfter))
        expect(incomeByDay(account, from)).toEqual(incomeByDay(account).filter(({ day }) => day >= from))
      }),
      { numRuns: 60 },
    )
  })

  test('costs a day what changes on it: thousands of orders of one user are walked along', () => {
    const ids = Array.from({ length: 5000 }, (_, order) => BigInt(order + 1))
    const moves = incomeByDay({
      ledger: ids.map((orderId) => ({ effectiveAt: at(0), days: 30, orderId })),
      orders: ids.map(
        (orderId) => ({ orderId, amountFen: 2900, channel: 'jsapi', bookedAt: at(0), refunds: [] }) as const,
      ),
    })
    expect(moves.reduce((sum, { earnedFen }) => sum + earnedFen, 0)).toBe(5000 * 2900)
    expect(moves.at(-1)?.day).toBe(dayNumber(at(5000 * 30)))
  })

  test('books what lies beyond the year 9999 on its last day, once', () => {
    const effectiveAt = new Date('9999-12-01T00:00:00Z')
    const line = {
      ...{ line: 1n, isPurchase: true, isGivenBack: false },
      ...{ expiresBefore: null, expiresAfter: effectiveAt },
    }
    const order = {
      line: 1n,
      channel: 'jsapi',
      amountFen: 10_000,
      paidAt: effectiveAt,
      bookedAt: effectiveAt,
    } as const
    const account = {
      ledger: [{ ...line, effectiveAt, days: 100, orderId: 1n }],
      orders: [{ ...order, orderId: 1n, refunds: [] }],
    }
    const sums = noSums()
    const [before, after] = [
      { grants: 0n, events: 0n },
      { grants: 1n, events: 1n },
    ]
    addChange(sums, account, { before, after })
    const days = [...sums.income.keys()].map((key) => Number(key.split(' ')[0]))
    expect([Math.max(...days), dayText(Math.max(...days))]).toEqual([lastDay, '9999-12-31'])
    expect([...sums.income.values()].reduce((sum, [, , earned = 0]) => sum + earned, 0)).toBe(10_000)
  })

  test('spreads an amount over the days of the plan to the fen, the odd fen on the first days', () => {
    const moves = incomeByDay({
      ledger: [{ effectiveAt: at(0), days: 30, orderId: 1n }],
      orders: [{ orderId: 1n, amountFen: 2900, channel: 'jsapi', bookedAt: at(0), refunds: [] }],
    })
    const earned = moves.map(({ earnedFen }) => earnedFen).filter((fen) => fen > 0)
    expect(earned).toEqual([...Array(20).fill(97), ...Array(10).fill(96)])
  })

  test('keeps money whose days are not given deferred, until it is refunded', () => {
    const order = { orderId: 1n, amountFen: 2900, channel: 'jsapi', bookedAt: at(0) } as const
    const refund = { succeededAt: at(4), bookedAt: at(5), fen: 2900 }
    expect(incomeByDay({ ledger: [], orders: [{ ...order, refunds: [refund] }] })).toEqual([
      expect.objectContaining({ day: dayNumber(at(0)), newFen: 2900, earnedFen: 0 }),
      expect.objectContaining({ day: dayNumber(at(5)), refundedFen: 2900, earnedFen: 0 }),
    ])
  })

  test('takes off what a refund takes of days that are over', () => {
    const moves = incomeByDay({
      ledger: [{ effectiveAt: at(0), days: 30, orderId: 1n }],
      orders: [
        {
          orderId: 1n,
          amountFen: 3000,
          channel: 'virtual',
          bookedAt: at(0),
          refunds: [{ succeededAt: at(10), bookedAt: at(10), fen: 1500 }],
        },
      ],
    })
    const of = (day: number) =>
      moves
        .filter((move) => move.day === dayNumber(at(day)))
        .reduce((sum, { earnedFen }) => sum + earnedFen, 0)
    expect([of(9), of(10), of(11)]).toEqual([100, -400, 50])
  })
})

test('a line that changes nothing of an account changes no sum', () => {
  const sums = noSums()
  const account = {
    ledger: [
      {
        ...{ line: 1n, effectiveAt: at(0), days: 30, orderId: 1n, isPurchase: true, isGivenBack: false },
        ...{ expiresBefore: null, expiresAfter: at(30) },
      },
    ],
    orders: [
      {
        ...{ line: 1n, orderId: 1n, channel: 'jsapi' as const, amountFen: 2900 },
        ...{ paidAt: at(0), bookedAt: at(0), refunds: [] },
      },
    ],
  }
  addChange(sums, account, { before: { grants: 1n, events: 1n }, after: { grants: 1n, events: 2n } })
  expect(sums).toEqual(noSums())
  addChange(sums, account, { before: { grants: 0n, events: 0n }, after: { grants: 1n, events: 2n } })
  expect([...sums.income.values()].reduce((earned, [, , fen = 0]) => earned + fen, 0)).toBe(2900)
})
