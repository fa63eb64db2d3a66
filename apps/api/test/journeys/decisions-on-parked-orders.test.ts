import { describe, expect, test } from 'vitest'
import { parkOrder } from '../../src/orders/park-order.ts'
import { followPayments } from '../../src/payments/follow-payment.ts'
import { closeUnpaidOrder } from '../../src/payments/settle-order.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { problemOf } from '../world/console.ts'
import { forgetJobs, queuedJobs } from '../world/queued-jobs.ts'
import { setSetting } from '../world/set-setting.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const finance = useConsole(world, 'finance')
const operator = useConsole(world, 'operator')

const pool = () => world.services.database.pool
const trace = { channel: 'job', requestId: null } as const
const note = 'Looked into it'

type Parked = { late: boolean; elsewhere: boolean }

/** A paid order without days: it came too late, or its money went back by no refund of ours, or both. */
async function parkedOrder({ late, elsewhere }: Parked) {
  const phone = await world.phone()
  const { order } = await phone.buys()
  const outTradeNo = order.out_trade_no
  const closing = {
    outTradeNo,
    channel: 'jsapi',
    confirmedBy: 'sweep',
    requestId: null,
    reason: 'expired',
  } as const
  if (late) await closeUnpaidOrder(world.services, closing)
  const paidAt = new Date(new Date(order.expires_at).getTime() + (late ? 60_000 : -60_000))
  await world.platform.pay(outTradeNo, { late: true, silent: true, paidAt })
  if (elsewhere) Object.assign(world.platform.orders.get(outTradeNo) ?? {}, { state: 'REFUND' })
  await setSetting(world, 'late_payment_policy', 'ask')
  await phone.syncs(outTradeNo)
  await setSetting(world, 'late_payment_policy', 'activate')
  expect(await orderOf(outTradeNo)).toMatchObject({ status: 'paid', late, parked: true })
  return { phone, outTradeNo }
}

async function orderOf(outTradeNo: string) {
  const [order] = await world.query<{ status: string; late: boolean; parked: boolean; reason: string }>(
    'SELECT status::text, late, parked, park_reason AS reason FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  return order
}

/** A refund of so much that was approved, of the order's own payment or of a second one. */
async function approvedRefund(outTradeNo: string, { amountFen = 100, second = false } = {}) {
  const outRefundNo = `R${outTradeNo.slice(1)}`
  if (second)
    await world.query(
      `INSERT INTO second_payments (order_id, transaction_id, amount_fen, payer, source)
       SELECT id, 'second of ' || id, amount_fen, 'same', 'bill' FROM orders WHERE out_trade_no = $1`,
      [outTradeNo],
    )
  await world.query(
    `INSERT INTO refunds (out_refund_no, order_id, second_payment_id, amount_fen, reason_code, keep_days, status, decided_at)
     SELECT $1, o.id, p.id, $2, 'other', p.id IS NOT NULL, 'approved', business_now()
     FROM orders o LEFT JOIN second_payments p ON p.order_id = o.id WHERE o.out_trade_no = $3`,
    [outRefundNo, amountFen, outTradeNo],
  )
  return outRefundNo
}

const decide = (outTradeNo: string, decision: 'release' | 'activate' | 'leave', parkReason: string) =>
  operator.order.decide.mutate({ outTradeNo, parkReason, decision, note })
const decideElsewhere = (outTradeNo: string, decision: 'release' | 'activate' | 'leave') =>
  decide(outTradeNo, decision, 'refunded_elsewhere')
const decideLate = (outTradeNo: string, decision: 'activate' | 'refund', parkReason = 'late_payment') =>
  finance.order.decideLate.mutate({ outTradeNo, parkReason, decision, note })

const jobsOf = async (subject: string) =>
  (
    await world.query<{ name: string }>(
      `SELECT job AS name FROM ${queuedJobs}
       WHERE $1 IN (payload ->> 'outTradeNo', payload ->> 'outRefundNo') ORDER BY job`,
      [subject],
    )
  ).map(({ name }) => name)
const followsOf = async (outTradeNo: string) =>
  (await jobsOf(outTradeNo)).filter((name) => name === 'follow_payment').length

describe('an order that was paid without days goes on by itself', () => {
  test('only where it came too late and a refund of its own payment gives the money back', async () => {
    const returned = await parkedOrder({ late: true, elsewhere: true })
    const outRefundNo = await approvedRefund(returned.outTradeNo)
    const kept = await parkedOrder({ late: true, elsewhere: true })
    const doubled = await parkedOrder({ late: true, elsewhere: true })
    await approvedRefund(doubled.outTradeNo, { second: true })
    const punctual = await parkedOrder({ late: false, elsewhere: true })
    await approvedRefund(punctual.outTradeNo)
    for (const { outTradeNo } of [kept, doubled, punctual]) {
      expect(await problemOf(decideElsewhere(outTradeNo, 'release'))).toBe('decision_not_possible')
      expect(await orderOf(outTradeNo)).toMatchObject({ parked: true, reason: 'refunded_elsewhere' })
    }
    await decideElsewhere(returned.outTradeNo, 'release')
    expect(await orderOf(returned.outTradeNo)).toMatchObject({ parked: false, reason: null })
    expect(await jobsOf(outRefundNo)).toEqual(['track_refund'])
    expect((await returned.phone.subscription()).remaining_days).toBe(0)
  })
})

describe('the days of a parked order', () => {
  test('are not given for one that nobody paid', async () => {
    const phone = await world.phone()
    const outTradeNo = (await phone.buys()).order.out_trade_no
    await parkOrder(pool(), { outTradeNo, reason: 'stuck', trace })
    expect(await problemOf(decide(outTradeNo, 'activate', 'stuck'))).toBe('decision_not_possible')
    expect((await phone.subscription()).remaining_days).toBe(0)
  })

  test('are given beside the refund of a part where it was paid in time', async () => {
    const { phone, outTradeNo } = await parkedOrder({ late: false, elsewhere: true })
    await approvedRefund(outTradeNo)
    await decideElsewhere(outTradeNo, 'activate')
    expect((await phone.subscription()).remaining_days).toBe(30)
  })

  test('are not given while the refund of a late one is held', async () => {
    const { phone, outTradeNo } = await parkedOrder({ late: true, elsewhere: true })
    await approvedRefund(outTradeNo)
    expect(await problemOf(decideElsewhere(outTradeNo, 'activate'))).toBe('decision_not_possible')
    expect((await phone.subscription()).remaining_days).toBe(0)
  })
})

describe('the money of a late payment', () => {
  const refundsOf = (outTradeNo: string) =>
    world.query(
      `SELECT r.amount_fen AS fen, r.status::text FROM refunds r JOIN orders o ON o.id = r.order_id WHERE o.out_trade_no = $1`,
      [outTradeNo],
    )

  test.each([
    { threshold: 2900, status: 'approved', parked: false },
    { threshold: 2899, status: 'requested', parked: true },
  ])('goes back as $status under a threshold of $threshold fen', async ({ threshold, status, parked }) => {
    await setSetting(world, 'refund_approval_threshold_fen', threshold)
    const { outTradeNo } = await parkedOrder({ late: true, elsewhere: false })
    await decideLate(outTradeNo, 'refund')
    await setSetting(world, 'refund_approval_threshold_fen', 20_000)
    expect(await refundsOf(outTradeNo)).toEqual([{ fen: 2900, status }])
    expect(await orderOf(outTradeNo)).toMatchObject({ parked })
    const again = parked ? 'decision_not_possible' : 'changed_meanwhile'
    for (const decision of ['refund', 'activate'] as const)
      expect(await problemOf(decideLate(outTradeNo, decision))).toBe(again)
    expect(await refundsOf(outTradeNo)).toHaveLength(1)
  })

  test('does not go back whole, nor are its days given again, where it has its days', async () => {
    const phone = await world.phone()
    const outTradeNo = await phone.buysAndPays()
    await parkOrder(pool(), { outTradeNo, reason: 'late_payment', trace })
    for (const decision of ['refund', 'activate'] as const)
      expect(await problemOf(decideLate(outTradeNo, decision))).toBe('decision_not_possible')
    expect(await refundsOf(outTradeNo)).toEqual([])
    expect((await phone.subscription()).remaining_days).toBe(30)
  })

  test('does not go back where nobody paid', async () => {
    const outTradeNo = (await (await world.phone()).buys()).order.out_trade_no
    await parkOrder(pool(), { outTradeNo, reason: 'late_payment', trace })
    for (const decision of ['refund', 'activate'] as const)
      expect(await problemOf(decideLate(outTradeNo, decision))).toBe('decision_not_possible')
  })

  test('is all that finance decides of a parked order', async () => {
    const { phone, outTradeNo } = await parkedOrder({ late: true, elsewhere: true })
    for (const decision of ['activate', 'refund'] as const)
      expect(await problemOf(decideLate(outTradeNo, decision, 'refunded_elsewhere'))).toBe(
        'decision_not_possible',
      )
    expect(await orderOf(outTradeNo)).toMatchObject({ parked: true, reason: 'refunded_elsewhere' })
    expect((await phone.subscription()).remaining_days).toBe(0)
  })
})

describe('a decision', () => {
  test('is on the timeline and in the audit log, and ends the alert of this order alone', async () => {
    const [decided, waiting] = [
      await parkedOrder({ late: false, elsewhere: true }),
      await parkedOrder({ late: false, elsewhere: true }),
    ]
    for (const { outTradeNo } of [decided, waiting]) await followPayments(pool(), [outTradeNo])
    const { outTradeNo } = decided
    const before = await followsOf(outTradeNo)
    await decideElsewhere(outTradeNo, 'leave')
    expect(await followsOf(outTradeNo)).toBe(before)
    const { events, acts } = await finance.order.detail.query({ outTradeNo })
    const requestId = acts[0]?.requestId
    expect(events.at(-1)).toMatchObject({
      ...{ kind: 'decide', channel: 'console', fromStatus: 'paid', toStatus: 'paid', requestId },
      operatorEmail: 'operator@example.com',
      detail: { decision: 'leave', reason: 'refunded_elsewhere', note },
    })
    expect(acts).toMatchObject([{ action: 'order.decide', operatorEmail: 'operator@example.com' }])
    const alerts = await world.query(
      `SELECT subject, detail, resolution FROM alerts WHERE kind = 'order_parked' AND subject = ANY($1) ORDER BY id`,
      [[outTradeNo, waiting.outTradeNo]],
    )
    const detail = { reason: 'refunded_elsewhere' }
    expect(alerts).toEqual([
      { subject: outTradeNo, detail, resolution: `leave: ${note}` },
      { subject: waiting.outTradeNo, detail, resolution: null },
    ])
    expect(await problemOf(decideElsewhere(outTradeNo, 'activate'))).toBe('changed_meanwhile')
    await forgetJobs(world)
    await decide(outTradeNo, 'activate', 'left_as_is')
    expect(await followsOf(outTradeNo)).toBe(1)
  })

  test('about an order that is parked already keeps the first reason, told once', async () => {
    const outTradeNo = (await (await world.phone()).buys()).order.out_trade_no
    const park = (reason: string) => parkOrder(pool(), { outTradeNo, reason, trace })
    expect([await park('first'), await park('second')]).toEqual([true, false])
    expect(await orderOf(outTradeNo)).toMatchObject({ parked: true, reason: 'first' })
    const { events } = await operator.order.detail.query({ outTradeNo })
    expect(events.filter(({ kind }) => kind === 'park')).toMatchObject([
      { fromStatus: 'prepay', toStatus: 'prepay', channel: 'job', detail: { reason: 'first' } },
    ])
  })
})

test('after all these decisions the ledger recomputes to what is stored', async () => {
  expect((await verifyLedger(pool())).differences).toEqual([])
})
