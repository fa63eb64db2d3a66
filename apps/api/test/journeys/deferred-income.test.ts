import { beforeAll, expect, test } from 'vitest'
import { stretchesAt } from '../../src/finance/deferred-income.ts'
import { readIncomes } from '../../src/finance/read-income.ts'
import { changeDays, previewDays } from '../../src/subscriptions/change-days.ts'
import { hire, signInAnew } from '../world/console.ts'
import type { Phone } from '../world/phone.ts'
import { plantVirtualPayment } from '../world/plant-virtual-payment.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const now = () => world.services.runtime.now()
let operatorId: string
let phone: Phone
let first: string
let second: string

const userOf = async (outTradeNo: string) => {
  const [row] = await world.query<{ id: string }>(
    'SELECT user_id AS id FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  return row?.id ?? ''
}

async function change(userId: string, days: number) {
  const { prisma } = world.services.database
  const { entries } = await previewDays(prisma, { userId, days })
  const from = { address: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  await changeDays(prisma, { userId, days, reason: `${days} days`, entries }, { operatorId, from })
}

// Both channels, days that nobody paid for, days removed by hand, refunds with and without their days.
beforeAll(async () => {
  operatorId = await hire(world, { email: 'operator@example.com', role: 'operator' })
  phone = await world.phone()
  first = await phone.buysAndPays('monthly')
  const userId = await userOf(first)
  await change(userId, 7)
  second = await phone.buysAndPays('quarterly')
  await plantVirtualPayment(world, { paidAt: new Date(now().getTime() - 5 * 86_400_000) })
  await world.passTime({ hours: 24 * 11 + 5 })
  await refundToItsEnd(world, { outTradeNo: first, amountFen: 1001, operatorId })
  await change(userId, -3)
  await refundToItsEnd(world, { outTradeNo: second, amountFen: 2003, operatorId, keepDays: true })
  await world.passTime({ hours: 24 * 9 + 1 })
})

const incomes = async () => {
  const users = await world.query<{ id: string }>('SELECT user_id AS id FROM subscriptions')
  return readIncomes(
    world.services.database.pool,
    users.map(({ id }) => id),
    now(),
  )
}

test('recognised and deferred together are what was received less what was refunded, to the fen', async () => {
  const [sums] = await world.query<{ received: number; refunded: number }>(
    `SELECT (SELECT sum(amount_fen)::int FROM orders o JOIN grants g ON g.order_id = o.id) AS received,
       (SELECT sum(amount_fen)::int FROM refunds WHERE status = 'succeeded') AS refunded`,
  )
  const all = await incomes()
  const sum = (key: 'receivedFen' | 'refundedFen' | 'recognisedFen' | 'deferredFen') =>
    all.reduce((total, income) => total + income[key], 0)
  expect(all).toHaveLength(3)
  expect([sum('receivedFen'), sum('refundedFen')]).toEqual([sums?.received, sums?.refunded])
  expect(sum('recognisedFen') + sum('deferredFen')).toBe(sum('receivedFen') - sum('refundedFen'))
  expect(sum('deferredFen')).toBeGreaterThan(0)
})

test('the days it is spread over are those of the ledger, to the millisecond', async () => {
  const rows = await world.query<{ ends: Date; at: Date[]; days: number[]; orders: (string | null)[] }>(
    `SELECT s.expires_at AS ends, array_agg(g.effective_at ORDER BY g.seq) AS at, array_agg(g.days ORDER BY g.seq) AS days,
       array_agg(coalesce(g.order_id, r.order_id)::text ORDER BY g.seq) AS orders
     FROM subscriptions s JOIN grants g USING (user_id) LEFT JOIN refunds r ON r.id = g.refund_id
     WHERE s.expires_at IS NOT NULL AND s.seq > 0 GROUP BY s.user_id`,
  )
  expect(rows.length).toBeGreaterThan(0)
  const moment = now()
  for (const { ends, at, days, orders } of rows) {
    const ledger = at.map((effectiveAt, line) => {
      const order = orders[line]
      return { effectiveAt, days: days[line] ?? 0, orderId: order ? BigInt(order) : null }
    })
    const left = stretchesAt(ledger, moment).reduce((sum, { leftMs }) => sum + leftMs, 0)
    expect(left).toBe(Math.max(0, ends.getTime() - moment.getTime()))
  }
})

test('the page of an order reads the same, and nothing where an order has no days', async () => {
  const { console: viewer } = await signInAnew(world, 'operator@example.com')
  const [, , income] = await incomes()
  const [order] = await world.query<{ no: string }>('SELECT out_trade_no AS no FROM orders WHERE id = $1', [
    income?.orderId,
  ])
  expect(await viewer.finance.orderIncome.query({ outTradeNo: order?.no ?? '' })).toMatchObject({
    recognisedFen: income?.recognisedFen,
    deferredFen: income?.deferredFen,
  })
  const unpaid = await (await world.phone()).buys()
  expect(await viewer.finance.orderIncome.query({ outTradeNo: unpaid.order.out_trade_no })).toBeNull()
})
