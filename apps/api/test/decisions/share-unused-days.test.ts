import { expect, test } from 'vitest'
import { shareUnusedDays } from '../../src/subscriptions/show-ledger.ts'

type Entry = Parameters<typeof shareUnusedDays>[0][number]

const effectiveAt = new Date('2026-12-01T00:00:00Z')
const bought = (outTradeNo: string, days: number): Entry => ({
  kind: 'purchase',
  outTradeNo,
  days,
  effectiveAt,
})
const takenBack = (outTradeNo: string, days: number): Entry => ({
  kind: 'refund_revocation',
  outTradeNo,
  days: -days,
  effectiveAt,
})
const byHand = (days: number): Entry => ({ kind: 'admin_grant', outTradeNo: null, days, effectiveAt })
const imported = (days: number, ago = 0): Entry => ({
  ...{ kind: 'imported', outTradeNo: null, days },
  effectiveAt: new Date(effectiveAt.getTime() - ago),
})

test.each<{ name: string; entries: Entry[]; left: number; shares: number[] }>([
  { name: 'nothing is left of nothing', entries: [], left: 0, shares: [] },
  {
    name: 'what is left belongs to the last',
    entries: [bought('A', 30), bought('B', 90)],
    left: 100,
    shares: [10, 90],
  },
  {
    name: 'none has more than it brought',
    entries: [bought('A', 30), bought('B', 90)],
    left: 500,
    shares: [30, 90],
  },
  {
    name: 'the last alone has what is left',
    entries: [bought('A', 30), bought('B', 90)],
    left: 40,
    shares: [0, 40],
  },
  {
    name: 'what a refund took is its own order’s, wherever it was written',
    entries: [bought('A', 30), bought('B', 90), takenBack('A', 10), takenBack('A', 5)],
    left: 105,
    shares: [15, 90, 0, 0],
  },
  {
    name: 'what was refunded twice over leaves nothing, and not less',
    entries: [bought('A', 30), bought('B', 90), takenBack('B', 120)],
    left: 20,
    shares: [20, 0, 0],
  },
  {
    name: 'days by hand are theirs, and what is taken by hand comes off the whole',
    entries: [bought('A', 30), byHand(7), byHand(-5), byHand(3)],
    left: 35,
    shares: [25, 7, 0, 3],
  },
  {
    name: 'days that no order brought are lessened by no refund',
    entries: [byHand(7), { kind: 'refund_revocation', outTradeNo: null, days: -2, effectiveAt }],
    left: 9,
    shares: [7, 0],
  },
  {
    name: 'what an import gave and gave back is nobody’s, of two alike the later',
    entries: [bought('A', 30), imported(30), imported(30), imported(-30)],
    left: 60,
    shares: [30, 30, 0, 0],
  },
  {
    name: 'what was given back is of the instant and of as many days as what gave it',
    entries: [imported(30), imported(30, 1), imported(20), imported(-30, 1)],
    left: 50,
    shares: [30, 0, 20, 0],
  },
])('of days that lie ahead: $name', ({ entries, left, shares }) => {
  expect(shareUnusedDays(entries, left)).toEqual(shares)
})
