import { beforeAll, describe, expect, test } from 'vitest'
import { applyPayment } from '../../src/payments/apply-payment.ts'
import { decideLate } from '../../src/payments/decide-parked.ts'
import { inTransaction } from '../../src/platform/sql/transaction.ts'
import { receiveRefund } from '../../src/refunds/settle-refund.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { hire } from '../world/console.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { askRefund } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { payInSecret, payTooLate, payTwice, tellRefund, virtualOf } from '../world/virtual-order.ts'
import { openVirtualShop } from '../world/virtual-shop.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
let operatorId: string

beforeAll(async () => {
  await openVirtualShop(world)
  operatorId = await hire(world, { email: 'finance@example.com', role: 'finance' })
})

const keptOf = async (outTradeNo: string) =>
  world.query<{ status: string; applied: boolean }>(
    'SELECT status, applied_refund_no IS NOT NULL AS applied FROM external_refunds WHERE out_trade_no = $1',
    [outTradeNo],
  )
const refundsOf = (outTradeNo: string) =>
  world.query<{ status: string; reason: string; amount: number; second: boolean }>(
    `SELECT r.status::text, reason_code AS reason, r.amount_fen AS amount, second_payment_id IS NOT NULL AS second
     FROM refunds r JOIN orders o ON o.id = r.order_id WHERE o.out_trade_no = $1 ORDER BY r.id`,
    [outTradeNo],
  )
const alertsOf = async (subject: string) =>
  (
    await world.query<{ kind: string }>('SELECT kind FROM alerts WHERE subject = $1 ORDER BY id', [subject])
  ).map(({ kind }) => kind)
const eventsOf = async (outTradeNo: string) =>
  (
    await world.query<{ kind: string }>(
      'SELECT kind FROM order_events e JOIN orders o ON o.id = e.order_id WHERE o.out_trade_no = $1 ORDER BY e.id',
      [outTradeNo],
    )
  ).map(({ kind }) => kind)
const inboxOf = (outTradeNo: string) =>
  world.query<{ event: string; outcome: string }>(
    'SELECT event_type AS event, outcome::text FROM notifications WHERE out_trade_no = $1 ORDER BY first_at',
    [outTradeNo],
  )
const parkingOf = async (outTradeNo: string) =>
  (await world.query('SELECT parked, park_reason FROM orders WHERE out_trade_no = $1', [outTradeNo]))[0]
/** What a push of this refund says, and what the platform answers about its payment. */
async function bothOf(outTradeNo: string, told: object) {
  world.platform.faults.set([{ kind: 'drop', at: 'push' }])
  await tellRefund(world, { ...told })
  world.platform.faults.clear()
  const lost = world.platform.deliveries.at(-1)
  const query = Object.fromEntries(new URL(lost?.url ?? '').searchParams)
  const push = virtualOf(world).readPush(query, Buffer.from(lost?.body ?? ''))
  const openid = world.platform.virtual.orders.get(outTradeNo)?.payerOpenid ?? ''
  const answer = await virtualOf(world).queryAttempt(outTradeNo, openid)
  if (push.kind !== 'refund' || answer.state !== 'paid') throw new Error('a refund, and its payment')
  return { refund: push.refund, payment: answer.payment }
}
const ledgerDiffers = async () => (await verifyLedger(world.services.database.pool)).differences

describe('a refund that we did not ask for', () => {
  test('by Apple takes order and days by the one rule, once', async () => {
    const phone = await world.phone()
    const outTradeNo = await phone.buysAndPaysVirtually({ system: 'ios' })
    const [push] = await world.platform.refundByApple(outTradeNo)
    expect(push).toMatchObject({ status: 200, answer: 'success' })
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded', refunded_fen: 2900 })
    expect((await phone.subscription()).remaining_days).toBe(0)
    const refund = { status: 'succeeded', reason: 'external', amount: 2900, second: false }
    expect(await refundsOf(outTradeNo)).toEqual([refund])
    expect(await keptOf(outTradeNo)).toEqual([{ status: 'succeeded', applied: true }])
    expect(await alertsOf(outTradeNo)).toEqual(['external_refund'])
    expect((await eventsOf(outTradeNo)).slice(-2)).toEqual(['external_refund', 'refund'])
    if (push) expect(await world.platform.deliver(push)).toMatchObject({ status: 200 })
    expect(await refundsOf(outTradeNo)).toEqual([refund])
    expect(await inboxOf(outTradeNo)).toContainEqual({ event: 'xpay_refund_notify', outcome: 'applied' })
    expect(await ledgerDiffers()).toEqual([])
  })

  test('about the order of somebody who has gone is kept without the person, and so is a complaint', async () => {
    const phone = await world.phone()
    const outTradeNo = await phone.buysAndPaysVirtually({ system: 'ios' })
    const erasure = { confirm: 'DELETE', code: world.platform.loginCode(phone.openid) }
    expect((await phone.call('/me', { method: 'DELETE', body: erasure })).status).toBe(204)
    expect(await world.platform.refundByApple(outTradeNo)).toMatchObject([{ status: 200 }])
    expect(await world.platform.pushEventOf('complaint', outTradeNo)).toMatchObject([{ status: 200 }])
    const kept = await world.query<{ event: string; payer: string; payload: string; length: number }>(
      `SELECT event_type AS event, payload ->> 'OpenId' AS payer, payload::text, length(body) AS length FROM notifications
       WHERE out_trade_no = $1 AND event_type <> 'xpay_goods_deliver_notify' ORDER BY event_type`,
      [outTradeNo],
    )
    expect(kept.map(({ event }) => event)).toEqual(['xpay_complaint_notify', 'xpay_refund_notify'])
    for (const { payer, payload, length } of kept) {
      expect([payer, length]).toEqual([expect.stringMatching(/^erased:/), 0])
      expect(payload).not.toContain(phone.openid)
    }
  })

  test('of a part takes days in proportion, and none that are used', async () => {
    const phone = await world.phone()
    const outTradeNo = await phone.buysAndPaysVirtually()
    await world.passTime({ days: 28 })
    const told = { MchOrderId: outTradeNo, WxRefundId: `part-${outTradeNo}`, RefundFee: 1450 }
    expect(await tellRefund(world, told)).toBe(200)
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid', refunded_fen: 1450 })
    expect((await phone.subscription()).remaining_days).toBe(0)
    expect(await ledgerDiffers()).toEqual([])
  })

  test('told before its payment waits for it, and is applied when it is paid', async () => {
    const phone = await world.phone()
    const outTradeNo = await payInSecret(phone)
    expect(await tellRefund(world, { MchOrderId: outTradeNo, WxRefundId: `early-${outTradeNo}` })).toBe(200)
    expect(await keptOf(outTradeNo)).toEqual([{ status: 'succeeded', applied: false }])
    expect(await world.platform.pushAgain(outTradeNo)).toMatchObject([{ status: 200 }])
    await world.platform.pushAgain(outTradeNo)
    expect(await refundsOf(outTradeNo)).toHaveLength(1)
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded', refunded_fen: 2900 })
    expect((await phone.subscription()).remaining_days).toBe(0)
    expect(await ledgerDiffers()).toEqual([])
  })

  test('of more than is left changes nothing and alarms, until there is room for it', async () => {
    const phone = await world.phone()
    const outTradeNo = await phone.buysAndPaysVirtually()
    const { outRefundNo } = await askRefund(world, { outTradeNo, amountFen: 1000, operatorId })
    const told = { MchOrderId: outTradeNo, WxRefundId: `over-${outTradeNo}` }
    expect(await tellRefund(world, told)).toBe(409)
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid', refunded_fen: 0 })
    expect(await alertsOf(told.WxRefundId)).toEqual(['refund_mismatch'])
    await world.query(`UPDATE refunds SET status = 'closed' WHERE out_refund_no = $1`, [outRefundNo])
    expect(await tellRefund(world, told)).toBe(200)
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded' })
    const open = `SELECT 1 FROM alerts WHERE subject = $1 AND resolved_at IS NULL`
    expect(await world.query(open, [told.WxRefundId])).toEqual([])
  })

  test('of a second payment is that payment’s, told before it or after it, and leaves the order alone', async () => {
    for (const isEarly of [false, true]) {
      const phone = await world.phone()
      const { outTradeNo, transactionId, paySecond } = await payTwice(world, phone)
      const tell = () =>
        tellRefund(world, { MchOrderId: transactionId, WxRefundId: `second-${transactionId}` })
      if (isEarly) expect(await tell()).toBe(200)
      await paySecond()
      if (!isEarly) expect(await tell()).toBe(200)
      expect(await refundsOf(outTradeNo)).toEqual([
        { status: 'succeeded', reason: 'external', amount: 2900, second: true },
      ])
      expect(await world.platform.pushAgain(transactionId)).toMatchObject([{ status: 200 }])
      expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid', refunded_fen: 0 })
      expect((await phone.subscription()).remaining_days).toBe(30)
    }
  })

  test('of a number that was never signed is nobody’s: refused until the platform was asked about it', async () => {
    const told = { MchOrderId: 'M-somebody-else', WxRefundId: 'nobody' }
    expect(await tellRefund(world, told)).toBe(404)
    expect(await world.query(`SELECT 1 FROM external_refunds WHERE refund_id = 'nobody'`)).toEqual([])
    await doDueJobs(world)
    expect(await tellRefund(world, told)).toBe(200)
  })

  test('that failed is kept, and one that then succeeds is applied', async () => {
    const phone = await world.phone()
    const outTradeNo = await phone.buysAndPaysVirtually()
    const told = { MchOrderId: outTradeNo, WxRefundId: `failed-${outTradeNo}` }
    expect(await tellRefund(world, { ...told, RetCode: 1 })).toBe(200)
    expect(await keptOf(outTradeNo)).toEqual([{ status: 'closed', applied: false }])
    expect(await alertsOf(outTradeNo)).toEqual([])
    expect(await tellRefund(world, told)).toBe(200)
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded' })
    expect(await tellRefund(world, { ...told, RetCode: 1 })).toBe(409)
  })

  test('under an id that told of another sum before is a mismatch', async () => {
    const phone = await world.phone()
    const outTradeNo = await payInSecret(phone)
    const told = { MchOrderId: outTradeNo, WxRefundId: `other-${outTradeNo}` }
    expect(await tellRefund(world, told)).toBe(200)
    expect(await tellRefund(world, { ...told, RefundFee: 100 })).toBe(409)
    await world.platform.pushAgain(outTradeNo)
    expect(await tellRefund(world, told)).toBe(200)
    expect(await tellRefund(world, { ...told, RefundFee: 100 })).toBe(409)
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded', refunded_fen: 2900 })
  })

  test('that is found before it is told parks the order, and then takes the money without days', async () => {
    const phone = await world.phone()
    const outTradeNo = await payInSecret(phone, { system: 'ios' })
    world.platform.usePush(null)
    await world.platform.refundByApple(outTradeNo)
    await openVirtualShop(world)
    await phone.syncs(outTradeNo)
    expect(await parkingOf(outTradeNo)).toEqual({ parked: true, park_reason: 'refunded_elsewhere' })
    expect(await tellRefund(world, { MchOrderId: outTradeNo, WxRefundId: `found-${outTradeNo}` })).toBe(200)
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded', refunded_fen: 2900 })
    expect(await ledgerDiffers()).toEqual([])
  })

  test('told at once by several, and beside its payment, is applied once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const phone = await world.phone()
      const outTradeNo = await payInSecret(phone)
      const told = { MchOrderId: outTradeNo, WxRefundId: `race-${outTradeNo}` }
      const { pool } = world.services.database
      const arrival = { channel: 'notification', requestId: null, mchId: null } as const
      const { refund, payment } = await bothOf(outTradeNo, told)
      // Past the door, whose replicas take turns per order within one process only.
      const receive = () => inTransaction(pool, (client) => receiveRefund(client, refund, arrival))
      const pay = () => applyPayment(pool, payment, { confirmedBy: 'notification', requestId: null, env: 0 })
      await Promise.all([receive(), receive(), pay(), receive(), pay()])
      expect(await refundsOf(outTradeNo)).toHaveLength(1)
      expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded', refunded_fen: 2900 })
      expect((await phone.subscription()).remaining_days).toBe(0)
    }
    expect(await ledgerDiffers()).toEqual([])
  })
})

describe('a late payment that Apple took', () => {
  const decide = (outTradeNo: string) =>
    decideLate(world.services.database.pool, {
      outTradeNo,
      parkReason: 'late_payment',
      decision: 'refund',
      note: 'late',
      operatorId,
      from: { address: '', userAgent: '', requestId: 'late' },
    })

  test('cannot be decided to go back, whatever its sum', async () => {
    await setSetting(world, 'late_payment_policy', 'refund')
    for (const planCode of ['monthly', 'yearly']) {
      const outTradeNo = await payTooLate(world, await world.phone(), { system: 'ios', planCode })
      expect(await parkingOf(outTradeNo)).toEqual({ parked: true, park_reason: 'late_payment' })
      await expect(decide(outTradeNo)).rejects.toMatchObject({ code: 'refund_by_apple' })
      expect(await refundsOf(outTradeNo)).toEqual([])
    }
  })

  test('is decided once Apple gave all of it back', async () => {
    const phone = await world.phone()
    const outTradeNo = await payTooLate(world, phone, { system: 'ios' })
    await world.platform.refundByApple(outTradeNo)
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded' })
    expect(await parkingOf(outTradeNo)).toEqual({ parked: false, park_reason: null })
  })
})
