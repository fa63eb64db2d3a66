import { beforeAll, expect, test } from 'vitest'
import { applyPayment } from '../../src/payments/apply-payment.ts'
import { listenToOrders } from '../../src/platform/measures/order-measures.ts'
import { inTransaction } from '../../src/platform/sql/transaction.ts'
import { lockRefund } from '../../src/refunds/move-refund.ts'
import { previewRefund } from '../../src/refunds/preview-refund.ts'
import { changeDays } from '../../src/subscriptions/change-days.ts'
import { hire } from '../world/console.ts'
import { payInSilence } from '../world/pay-in-silence.ts'
import { askRefund } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { stopClock } from '../world/stop-clock.ts'
import { untilWaiting } from '../world/until-waiting.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let finance: string

beforeAll(async () => {
  finance = await hire(world, { email: 'finance@example.com', role: 'finance' })
})

const pool = () => world.services.database.pool

const buyAndPay = async () => (await world.phone()).buysAndPays()

const request = (outTradeNo: string, amountFen = 100) =>
  askRefund(world, { outTradeNo, amountFen, operatorId: finance })

const preview = (outTradeNo: string, amountFen: number) =>
  previewRefund(pool(), { outTradeNo, amountFen, keepDays: false })

/** Stops the clock so long after an instant of the order or of its buyer's days, an interval of PostgreSQL. */
async function stopAt(outTradeNo: string, from: 'o.paid_at' | 's.expires_at', after: string): Promise<void> {
  const [at] = await world.query<{ instant: string }>(
    `SELECT (${from} + $2::interval)::text AS instant
     FROM orders o JOIN subscriptions s ON s.user_id = o.user_id WHERE o.out_trade_no = $1`,
    [outTradeNo, after],
  )
  await stopClock(world, at?.instant ?? '')
}

test('a payment that two learn of at the same time is counted once', async () => {
  const { outTradeNo } = await payInSilence(world)
  const answer = await world.services.payments?.queryOrder(outTradeNo)
  if (answer?.state !== 'paid') throw new Error('the platform holds this order as paid')
  const moves: string[] = []
  listenToOrders({ onMove: ({ move }) => moves.push(move), onGrant: () => undefined })
  const holder = await pool().connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM orders WHERE out_trade_no = $1 FOR UPDATE', [outTradeNo])
  const arrivals = [1, 2].map(() =>
    applyPayment(pool(), answer.payment, { confirmedBy: 'sync', requestId: null }),
  )
  await untilWaiting(world, 2)
  await holder.query('COMMIT')
  holder.release()
  expect((await Promise.all(arrivals)).sort()).toEqual(['already_paid', 'applied'])
  expect(moves).toEqual(['pay'])
})

test('a day given by hand is not the order’s before it, and days taken by hand come off all', async () => {
  const outTradeNo = await buyAndPay()
  const [owner] = await world.query<{ id: string }>(
    'SELECT user_id AS id FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  const change = (days: number, entries: number) =>
    changeDays(
      world.services.database.prisma,
      { userId: owner?.id ?? '', days, reason: 'a test', entries },
      { operatorId: finance, from: { address: '', userAgent: '', requestId: '' } },
    )
  await change(1, 1)
  await world.passTime({ days: 10 })
  expect(await preview(outTradeNo, 2900)).toMatchObject({ daysLeft: 20, daysUsed: 10, daysTaken: 20 })
  await change(-5, 2)
  expect(await preview(outTradeNo, 2900)).toMatchObject({ daysLeft: 15, daysTaken: 15, remainingAfter: 1 })
})

test('refunds of one user are settled one after the other, those of other users side by side', async () => {
  const phone = await world.phone()
  const [first, second, strange] = [
    await phone.buys('monthly'),
    await phone.buys('yearly'),
    await buyAndPay(),
  ]
  for (const purchase of [first, second]) await phone.pays(purchase)
  await buyAndPay()
  const refund = async (outTradeNo: string) => (await request(outTradeNo)).outRefundNo
  const [one, other] = [await refund(first.order.out_trade_no), await refund(second.order.out_trade_no)]
  const ofAnother = await refund(strange)
  const lockAtOnce = (outRefundNo: string) =>
    inTransaction(pool(), async (client) => {
      await client.query(`SET LOCAL lock_timeout = '500ms'`)
      return (await lockRefund(client, outRefundNo))?.outTradeNo
    })
  await inTransaction(pool(), async (client) => {
    await lockRefund(client, one)
    await expect(lockAtOnce(other)).rejects.toMatchObject({ code: '55P03' })
    expect(await lockAtOnce(ofAnother)).toBe(strange)
  })
  expect(await lockAtOnce(other)).toBe(second.order.out_trade_no)
})

test('the sum of the refunds may reach the threshold without a second person, and the amount, and not a fen more', async () => {
  await setSetting(world, 'refund_approval_threshold_fen', 1000)
  const outTradeNo = await buyAndPay()
  expect((await preview(outTradeNo, 1000)).needsSecondPerson).toBe(false)
  expect((await preview(outTradeNo, 1001)).needsSecondPerson).toBe(true)
  expect(await request(outTradeNo, 1000)).toMatchObject({ status: 'approved' })
  expect((await preview(outTradeNo, 1)).needsSecondPerson).toBe(true)
  expect(await request(outTradeNo, 1)).toMatchObject({ status: 'requested' })
  expect((await preview(outTradeNo, 1899)).obstacle).toBeNull()
  expect((await preview(outTradeNo, 1900)).obstacle).toBe('too_much')
  await setSetting(world, 'refund_approval_threshold_fen', 20000)
})

test('the fiftieth refund of an order is possible, and the preview says that there is no other', async () => {
  const outTradeNo = await buyAndPay()
  for (let count = 0; count < 49; count++) await request(outTradeNo, 1)
  expect((await preview(outTradeNo, 1)).obstacle).toBeNull()
  await request(outTradeNo, 1)
  expect((await preview(outTradeNo, 1)).obstacle).toBe('too_many')
})

test('an order that is not paid has no days, none left, none used and none to take', async () => {
  const { order } = await (await world.phone()).buys()
  expect(await preview(order.out_trade_no, 1)).toMatchObject({
    ...{ daysLeft: 0, daysUsed: 0, daysTaken: 0, daysTakenBack: 0, obstacle: 'not_paid' },
    ...{ expiresBefore: null, expiresAfter: null, remainingAfter: 0 },
  })
})

test('a day that has begun is left, to the microsecond, and days that are over are neither left nor taken', async () => {
  const outTradeNo = await buyAndPay()
  await stopAt(outTradeNo, 's.expires_at', '-10 days')
  expect(await preview(outTradeNo, 2900)).toMatchObject({ daysLeft: 10, daysUsed: 20, daysTaken: 10 })
  await stopAt(outTradeNo, 's.expires_at', '-10 days -1 microsecond')
  expect(await preview(outTradeNo, 2900)).toMatchObject({ daysLeft: 11, daysUsed: 19, daysTaken: 11 })
  await stopAt(outTradeNo, 's.expires_at', '5 days')
  const over = await preview(outTradeNo, 2900)
  expect(over).toMatchObject({
    daysLeft: 0,
    daysUsed: 30,
    daysTaken: 0,
    remainingBefore: 0,
    remainingAfter: 0,
  })
  expect(over.expiresAfter).toEqual(over.expiresBefore)
})

test('a refund is possible until the year is over, to the microsecond', async () => {
  const outTradeNo = await buyAndPay()
  await stopAt(outTradeNo, 'o.paid_at', '365 days -1 microsecond')
  expect((await preview(outTradeNo, 100)).obstacle).toBeNull()
  expect(await request(outTradeNo)).toMatchObject({ status: 'approved' })
  await stopAt(outTradeNo, 'o.paid_at', '365 days')
  expect((await preview(outTradeNo, 100)).obstacle).toBe('too_old')
  await expect(request(outTradeNo)).rejects.toMatchObject({ code: 'refund_not_possible' })
})
