import { beforeAll, expect, test } from 'vitest'
import { closeUnpaidOrder } from '../../src/payments/settle-order.ts'
import { hire } from '../world/console.ts'
import { sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { stopClock } from '../world/stop-clock.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let finance: string

beforeAll(async () => {
  finance = await hire(world, { email: 'finance@example.com', role: 'finance' })
})

/** An order of which so much was given back: how many days are left, and how many entries its refund wrote. */
async function giveBack(amountFen: number) {
  const phone = await world.phone()
  const { outRefundNo } = await sendRefund(world, { phone, operatorId: finance, amountFen })
  expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
  const entries = await world.query(
    'SELECT g.days FROM grants g JOIN refunds r ON r.id = g.refund_id WHERE r.out_refund_no = $1',
    [outRefundNo],
  )
  return { left: (await phone.subscription()).remaining_days, entries }
}

test('a refund takes the days whose price it reaches, and writes no entry where that is none', async () => {
  expect(await giveBack(96)).toEqual({ left: 30, entries: [] })
  expect(await giveBack(97)).toEqual({ left: 29, entries: [{ days: -1 }] })
  expect(await giveBack(2899)).toEqual({ left: 1, entries: [{ days: -29 }] })
})

/** Paid so many seconds after the end of an order that was closed before. */
async function payAfterClosing(seconds: number) {
  const { order } = await (await world.phone()).buys()
  const outTradeNo = order.out_trade_no
  const closing = {
    outTradeNo,
    channel: 'jsapi',
    confirmedBy: 'sweep',
    requestId: null,
    reason: 'expired',
  } as const
  expect(await closeUnpaidOrder(world.services, closing)).toBe('closed')
  const paidAt = new Date(new Date(order.expires_at).getTime() + seconds * 1000)
  await world.platform.pay(outTradeNo, { late: true, silent: true, paidAt })
  expect((await world.platform.deliver(world.platform.notification(outTradeNo))).status).toBe(204)
  const [paid] = await world.query('SELECT status::text, late FROM orders WHERE out_trade_no = $1', [
    outTradeNo,
  ])
  return paid
}

test('a payment in the last second of its time is in time, one in the next is late', async () => {
  const [now] = await world.query<{ second: string }>(
    `SELECT date_trunc('second', business_now())::text AS second`,
  )
  await stopClock(world, now?.second ?? '')
  expect(await payAfterClosing(0)).toEqual({ status: 'paid', late: false })
  expect(await payAfterClosing(1)).toEqual({ status: 'paid', late: true })
})
