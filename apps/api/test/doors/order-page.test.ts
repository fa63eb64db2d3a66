import { beforeAll, describe, expect, test } from 'vitest'
import { parkOrder } from '../../src/orders/park-order.ts'
import { listenToSeenOrders } from '../../src/platform/measures/order-measures.ts'
import { idOf } from '../world/console.ts'
import { deliver, payInSilence } from '../world/pay-in-silence.ts'
import { askRefund, sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'
import { bind, newSerial } from '../world/wearable.ts'

const [email, secondEmail] = ['finance@example.com', 'second@example.com']
const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const finance = useConsole(world, { email, role: 'finance' })
const second = useConsole(world, { email: secondEmail, role: 'finance' })
let operatorId: string

beforeAll(async () => {
  operatorId = await idOf(world, email)
})

const detail = (outTradeNo: string) => finance.order.detail.query({ outTradeNo })

describe('the page of an order', () => {
  test('says what may still be refunded: nothing before it is paid, while it waits, and once all is back', async () => {
    const { phone, outTradeNo } = await payInSilence(world)
    expect(await detail(outTradeNo)).toMatchObject({ status: 'prepay', refundableFen: 0 })
    await phone.syncs(outTradeNo)
    expect(await detail(outTradeNo)).toMatchObject({ status: 'paid', refundableFen: 2900 })
    await askRefund(world, { outTradeNo, amountFen: 900, operatorId })
    expect(await detail(outTradeNo)).toMatchObject({ refundableFen: 2000, refundedFen: 0 })
    const trace = { channel: 'job', requestId: null } as const
    await parkOrder(world.services.database.pool, { outTradeNo, reason: 'stuck', trace })
    expect(await detail(outTradeNo)).toMatchObject({ parked: true, parkReason: 'stuck', refundableFen: 0 })
    const whole = await sendRefund(world, { phone: await world.phone(), operatorId })
    await sayRefundEnd(world, whole.outRefundNo, { end: 'SUCCESS' })
    expect(await detail(whole.outTradeNo)).toMatchObject({ status: 'refunded', refundableFen: 0 })
  })

  test('shows its refunds and, in the order of the ledger, the days it gave and those that were taken back', async () => {
    const phone = await world.phone()
    const sent = await sendRefund(world, { phone, operatorId, amountFen: 1450 })
    await sayRefundEnd(world, sent.outRefundNo, { end: 'SUCCESS' })
    const { outTradeNo } = sent
    const open = await askRefund(world, { outTradeNo, amountFen: 50, operatorId })
    const order = await detail(outTradeNo)
    expect(order.refunds).toMatchObject([
      { outRefundNo: sent.outRefundNo, amountFen: 1450, state: 'succeeded', ofSecondPayment: false },
      { outRefundNo: open.outRefundNo, amountFen: 50, state: 'approved', succeededAt: null },
    ])
    expect(order.grants).toMatchObject([
      { seq: 1, kind: 'purchase', days: 30 },
      { seq: 2, kind: 'refund_revocation', days: -15 },
    ])
    const { expires_at } = await phone.subscription()
    const expiresAt = new Date(expires_at ?? 0)
    expect(order.subscription).toEqual({ isActive: true, remainingDays: 15, expiresAt })
  })

  test('shows no days of somebody who never had any', async () => {
    const { outTradeNo } = await payInSilence(world)
    const nothing = { isActive: false, remainingDays: 0, expiresAt: null }
    expect((await detail(outTradeNo)).subscription).toEqual(nothing)
  })

  test('shows the devices that its user still has, the newest first, and half of who paid', async () => {
    const [phone, other] = [await world.phone(), await world.phone()]
    const outTradeNo = (await phone.buys()).order.out_trade_no
    await bind(other, newSerial())
    const serials = [newSerial(), newSerial(), newSerial()]
    for (const serial of serials) {
      expect((await bind(phone, serial)).status).toBeLessThan(300)
      await world.passTime({ seconds: 1 })
    }
    const [kept, unbound, newest] = serials
    await phone.call('/devices/unbind', { method: 'POST', body: { serial_number: unbound } })
    const { devices, payerOpenid } = await detail(outTradeNo)
    expect(devices.map(({ serialNumber }) => serialNumber)).toEqual([newest, kept])
    expect(payerOpenid).toBe(`${phone.openid.slice(0, 4)}••••${phone.openid.slice(-4)}`)
  })

  test('shows the notifications about it, the first one first', async () => {
    const { outTradeNo } = await payInSilence(world)
    await deliver(world, (await payInSilence(world)).outTradeNo, { id: 'EV-of-another' })
    await deliver(world, outTradeNo, { id: 'EV-b', amountFen: 1 })
    await world.passTime({ seconds: 1 })
    for (const _ of [1, 2]) await deliver(world, outTradeNo, { id: 'EV-a' })
    expect((await detail(outTradeNo)).notifications).toMatchObject([
      { id: 'EV-b', outcome: 'mismatch', deliveries: 1 },
      { id: 'EV-a', outcome: 'applied', deliveries: 2 },
    ])
  })

  test('names who asked for a refund and who approved it, on the timeline and among the acts', async () => {
    const phone = await world.phone()
    const outTradeNo = await phone.buysAndPays('yearly')
    await sendRefund(world, { phone: await world.phone(), operatorId })
    const asked = { outTradeNo, amountFen: 26_800, operatorId }
    const { outRefundNo, status } = await askRefund(world, asked)
    expect(status).toBe('requested')
    await second.refund.decide.mutate({ outRefundNo, approve: true })
    const { events, acts } = await detail(outTradeNo)
    expect(events.map(({ kind, operatorEmail }) => [kind, operatorEmail])).toEqual([
      ...['create', 'prepare', 'pay'].map((kind) => [kind, null]),
      ['refund_requested', email],
      ['refund_approved', secondEmail],
    ])
    expect(acts).toMatchObject([
      { operatorEmail: secondEmail, outRefundNo },
      { operatorEmail: email, action: 'refund.request', outRefundNo: null },
    ])
  })
})

describe('orders that are read ahead', () => {
  test('are read at once just as each by itself, and what is not there is left out', async () => {
    const phone = await world.phone()
    const paid = await phone.buysAndPays('yearly')
    const refunded = await sendRefund(world, { phone: await world.phone(), operatorId, amountFen: 900 })
    await bind(phone, newSerial())
    await deliver(world, (await payInSilence(world)).outTradeNo, { id: 'EV-beside' })
    const { outTradeNo: unpaid } = await payInSilence(world)
    const wanted = [paid, refunded.outTradeNo, unpaid]
    const asked = { outTradeNos: [...wanted, `M${'0'.repeat(26)}`] }
    const read = new Map((await finance.order.details.query(asked)).map((order) => [order.outTradeNo, order]))
    expect([...read.keys()].toSorted()).toEqual(wanted.toSorted())
    for (const outTradeNo of wanted) expect(read.get(outTradeNo)).toEqual(await detail(outTradeNo))
  })

  test('are a page of the list at most', async () => {
    const outTradeNos = Array.from({ length: 21 }, (_, at) => `M${String(at).padStart(26, '0')}`)
    await expect(finance.order.details.query({ outTradeNos })).rejects.toMatchObject({
      data: { problem: { code: 'invalid_request' } },
    })
  })

  test('do not count as looked at before somebody opens one', async () => {
    const { outTradeNo } = await payInSilence(world)
    const seen: string[] = []
    const stop = listenToSeenOrders((number) => seen.push(number))
    await finance.order.details.query({ outTradeNos: [outTradeNo] })
    expect(seen).toEqual([])
    await detail(outTradeNo)
    stop()
    expect(seen).toEqual([outTradeNo])
  })
})
