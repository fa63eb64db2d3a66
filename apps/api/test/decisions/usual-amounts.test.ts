import fc from 'fast-check'
import { expect, test } from 'vitest'
import { usualAmounts } from '../../src/refunds/usual-amounts.ts'

const whole = { amountFen: 2900, durationDays: 30, refundedFen: 0, refundableFen: 2900, takenDays: 0 }

test.each([
  ['nothing is used', { ...whole, unusedDays: 30 }, { halfFen: 1450, unusedFen: 2900 }],
  ['ten days are used', { ...whole, unusedDays: 20 }, { halfFen: 1450, unusedFen: 1934 }],
  ['all days are used', { ...whole, unusedDays: 0 }, { halfFen: 1450, unusedFen: 0 }],
  [
    'half of it went back with its days',
    { ...whole, refundedFen: 1450, refundableFen: 1450, takenDays: 15, unusedDays: 15 },
    { halfFen: 1450, unusedFen: 1450 },
  ],
  [
    'a refund of most of it is under way',
    { ...whole, refundableFen: 900, unusedDays: 20 },
    { halfFen: 900, unusedFen: 900 },
  ],
  [
    'its number of fen is odd',
    { ...whole, amountFen: 2901, refundableFen: 2901, unusedDays: 30 },
    { halfFen: 1450, unusedFen: 2901 },
  ],
  [
    'money went back without days',
    { ...whole, refundedFen: 2800, refundableFen: 100, unusedDays: 20 },
    { halfFen: 100, unusedFen: 0 },
  ],
])('where %s', (_where, order, amounts) => {
  expect(usualAmounts(order)).toEqual(amounts)
})

/** The days that a refund takes, as its settlement counts them (`dueDaysSql`). */
const daysOf = (order: Parameters<typeof usualAmounts>[0], fen: number): number =>
  Math.max(
    0,
    Math.min(
      order.unusedDays,
      Math.floor((order.durationDays * (order.refundedFen + fen)) / order.amountFen) - order.takenDays,
    ),
  )

test('the sum for unused days is the least that takes all of them, and no sum is more than is refundable', () => {
  const orders = fc
    .record({
      amountFen: fc.integer({ min: 1, max: 1_000_000 }),
      durationDays: fc.integer({ min: 1, max: 3660 }),
      parts: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      unused: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ amountFen, durationDays, parts: [back, under], unused }) => {
      const refundedFen = Math.floor(amountFen * back)
      const refundableFen = Math.floor((amountFen - refundedFen) * under)
      const takenDays = Math.floor((durationDays * refundedFen) / amountFen)
      const unusedDays = Math.floor((durationDays - takenDays) * unused)
      return { amountFen, durationDays, refundedFen, refundableFen, takenDays, unusedDays }
    })
  fc.assert(
    fc.property(orders, (order) => {
      const { halfFen, unusedFen } = usualAmounts(order)
      for (const fen of [halfFen, unusedFen]) {
        expect(fen).toBeGreaterThanOrEqual(0)
        expect(fen).toBeLessThanOrEqual(order.refundableFen)
      }
      if (unusedFen === 0 || unusedFen === order.refundableFen) return
      expect(daysOf(order, unusedFen)).toBe(order.unusedDays)
      expect(daysOf(order, unusedFen - 1)).toBeLessThan(order.unusedDays)
    }),
  )
})
