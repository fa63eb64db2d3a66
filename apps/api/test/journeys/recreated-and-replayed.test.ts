import { beforeAll, describe, expect, test } from 'vitest'
import { recreateOrder } from '../../src/orders/recreate-order.ts'
import { dryRunReplay, replayNotification } from '../../src/payments/replay-notification.ts'
import { closeUnpaidOrder } from '../../src/payments/settle-order.ts'
import { type GrantedPayment, listenToOrders } from '../../src/platform/measures/order-measures.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { idOf, problemOf } from '../world/console.ts'
import { deliver, payInSilence } from '../world/pay-in-silence.ts'
import { sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { tamper } from '../world/tamper.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const owner = useConsole(world, 'owner')
let operatorId: string

beforeAll(async () => {
  operatorId = await idOf(world, 'owner@example.com')
})

const pool = () => world.services.database.pool

/** The order of this number, and what the platform says of its payment. */
async function paidAndForgotten(planCode: string) {
  const { phone, outTradeNo } = await payInSilence(world, planCode)
  const columns = `user_id, plan_code, plan_name, duration_days, features, amount_fen, currency, payer_openid, app_id, mch_id, platform_host`
  const read = async () => {
    const [order] = await world.query(`SELECT ${columns} FROM orders WHERE out_trade_no = $1`, [outTradeNo])
    return order
  }
  const [row] = await world.query<{ id: string }>(
    'SELECT user_id AS id FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  const before = await read()
  const answer = await world.services.payments?.queryOrder(outTradeNo)
  if (answer?.state !== 'paid') throw new Error('the platform holds this order as paid')
  await tamper(
    world,
    `DELETE FROM order_events WHERE order_id = (SELECT id FROM orders WHERE out_trade_no = '${outTradeNo}');
     DELETE FROM orders WHERE out_trade_no = '${outTradeNo}'`,
  )
  const { payment } = answer
  const platformHost = world.services.payments?.platformHost ?? ''
  const recreate = () => recreateOrder(pool(), { payment, userId: row?.id ?? '', platformHost })
  return { phone, outTradeNo, payment, before, read, recreate }
}

describe('an order that a restored database lost', () => {
  test('is made again as it was, dated around its payment, once, and can then be paid', async () => {
    const { phone, outTradeNo, payment, before, read, recreate } = await paidAndForgotten('quarterly')
    expect(await recreate()).toBe(true)
    expect(await read()).toEqual(before)
    const minute = 60_000
    const [dates] = await world.query(
      `SELECT created_at AS created, expires_at AS expires, status::text FROM orders WHERE out_trade_no = $1`,
      [outTradeNo],
    )
    const paidAt = payment.paidAt.getTime()
    expect(dates).toEqual({
      created: new Date(paidAt - minute),
      expires: new Date(paidAt + minute),
      status: 'created',
    })
    expect(await recreate()).toBe(false)
    const { events } = await owner.order.detail.query({ outTradeNo })
    expect(events).toMatchObject([
      { kind: 'create', channel: 'bill', fromStatus: null, toStatus: 'created', detail: { recreated: true } },
    ])
    await phone.syncs(outTradeNo)
    expect((await phone.subscription()).remaining_days).toBe(90)
  })

  test('is left to a person where two plans have its price', async () => {
    const { outTradeNo, read, recreate } = await paidAndForgotten('monthly')
    const price = (fen: number) => world.query(`UPDATE plans SET price_fen = $1 WHERE code = 'yearly'`, [fen])
    const [yearly] = await world.query<{ fen: number }>(
      `SELECT price_fen AS fen FROM plans WHERE code = 'yearly'`,
    )
    await price(2900)
    expect(await recreate()).toBe(false)
    expect(await read()).toBeUndefined()
    await price(yearly?.fen ?? 0)
    expect(await recreate()).toBe(true)
    expect((await owner.order.detail.query({ outTradeNo })).events).toHaveLength(1)
  })
})

/** A payment whose notification was kept while its order was missing for a moment. */
async function keptUnapplied(id: string) {
  const paid = await payInSilence(world)
  const { outTradeNo } = paid
  const renumber = (from: string, to: string) =>
    tamper(world, `UPDATE orders SET out_trade_no = '${to}' WHERE out_trade_no = '${from}'`)
  const elsewhere = 'M00000000000000000000000000'
  await renumber(outTradeNo, elsewhere)
  expect((await deliver(world, outTradeNo, { id })).status).toBe(404)
  await renumber(elsewhere, outTradeNo)
  return paid
}

const replay = (id: string) => owner.notification.replay.mutate({ id })
const actOf = async (id: string) => {
  const [act] = await world.query(
    `SELECT subject_type AS type, operator_id AS "operatorId", before, after FROM audit_entries WHERE subject_id = $1`,
    [id],
  )
  return act
}

/** A payment that came after the end of its order, notified as `id`. */
async function paidLate(id: string, policy: 'ask' | 'activate') {
  const { order } = await (await world.phone()).buys()
  const outTradeNo = order.out_trade_no
  const closing = {
    outTradeNo,
    channel: 'jsapi',
    confirmedBy: 'sweep',
    requestId: null,
    reason: 'expired',
  } as const
  await closeUnpaidOrder(world.services, closing)
  const paidAt = new Date(new Date(order.expires_at).getTime() + 60_000)
  await world.platform.pay(outTradeNo, { late: true, silent: true, paidAt })
  const setPolicy = (value: string) => setSetting(world, 'late_payment_policy', value)
  await setPolicy(policy)
  await deliver(world, outTradeNo, { id })
  await setPolicy('activate')
  return outTradeNo
}

describe('a replay shows where the order stood and stands', () => {
  const unpaid = { status: 'prepay', amountFen: 2900, refundedFen: 0, late: false, parked: false }

  test('with its sums, its days and their end, and keeps that in the audit log', async () => {
    const { phone, outTradeNo } = await keptUnapplied('EV-standing')
    const effect = await replay('EV-standing')
    const expiresAt = new Date((await phone.subscription()).expires_at ?? 0)
    expect(effect).toEqual({
      refusal: null,
      outcome: 'applied',
      before: { outTradeNo, ...unpaid, remainingDays: 0, expiresAt: null },
      after: { outTradeNo, ...unpaid, status: 'paid', remainingDays: 30, expiresAt },
    })
    const facts = { status: 'prepay', refundedFen: 0, parked: false, remainingDays: 0 }
    expect(await actOf('EV-standing')).toEqual({
      ...{ type: 'notification', operatorId },
      before: { order: facts },
      after: { order: { ...facts, status: 'paid', remainingDays: 30 }, outcome: 'applied' },
    })
  })

  test('with what was refunded of it', async () => {
    const phone = await world.phone()
    const { outTradeNo, outRefundNo } = await sendRefund(world, { phone, operatorId, amountFen: 1450 })
    await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS', changes: { id: 'EV-part' } })
    const standing = { ...unpaid, outTradeNo, status: 'paid', refundedFen: 1450, remainingDays: 15 }
    expect(await replay('EV-part')).toMatchObject({
      outcome: 'already_paid',
      before: standing,
      after: standing,
    })
  })

  test.each([
    ['ask', true],
    ['activate', false],
  ] as const)('with whether it came late and waits, under the policy "%s"', async (policy, parked) => {
    const outTradeNo = await paidLate(`EV-late-${policy}`, policy)
    const standing = { outTradeNo, status: 'paid', late: true, parked }
    const effect = await replay(`EV-late-${policy}`)
    expect(effect).toMatchObject({ outcome: 'already_paid', before: standing, after: standing })
    const order = { status: 'paid', refundedFen: 0, parked }
    expect(await actOf(`EV-late-${policy}`)).toMatchObject({ before: { order }, after: { order } })
  })

  test('and no order for a notification that is about none', async () => {
    const { outTradeNo } = await payInSilence(world)
    await deliver(world, outTradeNo, { id: 'EV-new', eventType: 'SOMETHING.NEW' })
    const nothing = { refusal: null, outcome: 'ignored', before: null, after: null }
    expect(await owner.notification.dryRun.query({ id: 'EV-new' })).toEqual(nothing)
    expect(await replay('EV-new')).toEqual(nothing)
    expect(await actOf('EV-new')).toMatchObject({ before: { order: null }, after: { order: null } })
  })
})

test('a payment that a replay brings is counted once, and not by the dry run', async () => {
  await keptUnapplied('EV-counted')
  await world.passTime({ minutes: 10 })
  const moves: string[] = []
  const grants: GrantedPayment[] = []
  listenToOrders({ onMove: ({ move }) => moves.push(move), onGrant: (granted) => grants.push(granted) })
  await owner.notification.dryRun.query({ id: 'EV-counted' })
  expect([moves, grants]).toEqual([[], []])
  await replay('EV-counted')
  await replay('EV-counted')
  expect(moves).toEqual(['pay'])
  expect(grants).toEqual([{ confirmedBy: 'replay', channel: 'jsapi', seconds: expect.any(Number) }])
  expect(grants[0]?.seconds).toBeGreaterThanOrEqual(600)
  expect(grants[0]?.seconds).toBeLessThan(660)
})

test('what was never kept is not found by a dry run either, and nothing is replayed without a merchant', async () => {
  expect(await problemOf(owner.notification.dryRun.query({ id: 'EV-nowhere' }))).toBe('not_found')
  await keptUnapplied('EV-kept')
  const services = { ...world.services, payments: null }
  const from = { address: '203.0.113.7', userAgent: 'test', requestId: 'test' }
  const act = { notificationId: 'EV-kept', operatorId, from }
  for (const attempt of [dryRunReplay(services, act), replayNotification(services, act)])
    await expect(attempt).rejects.toMatchObject({ code: 'payment_not_configured' })
})

test('after all this the ledger recomputes to what is stored', async () => {
  expect((await verifyLedger(pool())).differences).toEqual([])
})
