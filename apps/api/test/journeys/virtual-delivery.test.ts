import { expect, test } from 'vitest'
import { askAttempt, recordAttemptFacts } from '../../src/orders/record-attempt.ts'
import { confirmDelivery, queueMissedDeliveries } from '../../src/payments/confirm-delivery.ts'
import { doJob } from '../world/do-jobs.ts'
import { type PlantedPayment, plantVirtualPayment } from '../world/plant-virtual-payment.ts'
import { forgetJobs, queuedJobs } from '../world/queued-jobs.ts'
import { setSetting } from '../world/set-setting.ts'
import { tamper } from '../world/tamper.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

const run = ({ attemptNo }: PlantedPayment, attempt = 0) =>
  confirmDelivery(world.services, { attemptNo, attempt })
const attemptOf = async ({ attemptNo }: PlantedPayment) =>
  (
    await world.query<{ delivered_at: Date | null; platform_state: string | null }>(
      'SELECT * FROM order_attempts WHERE number = $1',
      [attemptNo],
    )
  )[0]
const theirs = ({ attemptNo }: PlantedPayment) => {
  const order = world.platform.virtual.orders.get(attemptNo)
  if (!order) throw new Error('the platform knows the number')
  return order
}
const waiting = ({ attemptNo }: PlantedPayment) =>
  world.query<{ seconds: number; attempt: number }>(
    `SELECT round(extract(epoch FROM run_at - business_now()))::int AS seconds, (payload ->> 'attempt')::int AS attempt
     FROM ${queuedJobs} WHERE key = $1`,
    [`deliver:${attemptNo}`],
  )
const lines = ({ attemptNo }: PlantedPayment) =>
  world.query(
    `SELECT e.kind, e.detail FROM order_events e JOIN orders o ON o.id = e.order_id WHERE o.out_trade_no = $1`,
    [attemptNo],
  )
const callsOf = (name: string) =>
  world.platform.requests.filter(({ path }) => path.startsWith(`/xpay/${name}`)).length
const alerts = ({ attemptNo }: PlantedPayment) =>
  world.query(`SELECT kind, detail, times FROM alerts WHERE subject = $1`, [attemptNo])

test('a payment that no push brought is told as delivered at once, and every number is kept', async () => {
  const payment = await plantVirtualPayment(world)
  await run(payment)
  expect(theirs(payment).status).toBe(4)
  expect(await attemptOf(payment)).toMatchObject({
    delivered_at: expect.any(Date),
    platform_state: 'delivered',
    platform_fen: 2900,
    platform_left_fen: 2900,
    wx_order_id: theirs(payment).wxOrderId,
    channel_order_id: theirs(payment).channelOrderId,
    by_apple: false,
    settlement: 'open',
  })
  expect(
    await world.query('SELECT transaction_id, trade_type FROM orders WHERE out_trade_no = $1', [
      payment.attemptNo,
    ]),
  ).toEqual([{ transaction_id: theirs(payment).transactionId, trade_type: 'VIRTUAL' }])
  expect(await lines(payment)).toEqual([{ kind: 'delivered', detail: { attempt_no: payment.attemptNo } }])
  expect(await waiting(payment)).toEqual([])
  const told = callsOf('notify_provide_goods')
  await run(payment)
  expect(callsOf('notify_provide_goods')).toBe(told)
  expect(await lines(payment)).toHaveLength(1)
})

test('the answer to a push delivers: it has a moment for that before it is told so', async () => {
  const payment = await plantVirtualPayment(world, { confirmedBy: 'notification' })
  const told = callsOf('notify_provide_goods')
  await run(payment)
  expect(callsOf('notify_provide_goods')).toBe(told)
  expect(await attemptOf(payment)).toMatchObject({ delivered_at: null, platform_state: 'paid' })
  expect(await waiting(payment)).toEqual([{ seconds: 30, attempt: 1 }])
  await run(payment, 1)
  expect(callsOf('notify_provide_goods')).toBe(told + 1)
  expect(await attemptOf(payment)).toMatchObject({ delivered_at: expect.any(Date) })
})

test('a push that was answered long ago and lost on the way is told at the first try, however late a worker comes', async () => {
  const payment = await plantVirtualPayment(world, { confirmedBy: 'notification' })
  await world.passTime({ days: 8 })
  await run(payment)
  expect(theirs(payment).status).toBe(4)
  expect(await waiting(payment)).toEqual([])
})

test('a platform that fails loses nothing: it is asked again, and after an hour somebody is told', async () => {
  const payment = await plantVirtualPayment(world)
  world.platform.faults.add({ kind: 'error_before', at: 'xpay' })
  await run(payment, 6)
  expect(await waiting(payment)).toEqual([{ seconds: 1920, attempt: 7 }])
  expect(await alerts(payment)).toEqual([])
  await world.passTime({ minutes: 61 })
  await run(payment, 9)
  expect(await waiting(payment)).toMatchObject([{ seconds: 3600, attempt: 10 }])
  expect(await alerts(payment)).toEqual([
    { kind: 'delivery_unconfirmed', detail: { attempt_no: payment.attemptNo }, times: 1 },
  ])
  world.platform.faults.clear()
  await run(payment, 10)
  expect(await attemptOf(payment)).toMatchObject({ delivered_at: expect.any(Date) })
})

test('nothing is told as delivered that was not given, or goes back; a decision begins it again', async () => {
  const payment = await plantVirtualPayment(world, { ungranted: true })
  await run(payment, 3)
  expect(theirs(payment).status).toBe(2)
  expect(await waiting(payment)).toMatchObject([{ attempt: 4 }])
  const back = await plantVirtualPayment(world)
  await tamper(
    world,
    `UPDATE orders SET refund_reserved_fen = amount_fen WHERE out_trade_no = '${back.attemptNo}'`,
  )
  await run(back, 3)
  expect(theirs(back).status).toBe(2)
  expect(await waiting(back)).toEqual([])
  const given = await plantVirtualPayment(world)
  const { virtual, database } = world.services
  if (!virtual) throw new Error('it is configured')
  await queueMissedDeliveries(database.pool, virtual)
  expect(await waiting(given)).toMatchObject([{ attempt: 1 }])
})

test('of an erased account nothing is asked, and nobody waits', async () => {
  const payment = await plantVirtualPayment(world)
  await tamper(
    world,
    `UPDATE orders SET payer_openid = 'erased:0' WHERE out_trade_no = '${payment.attemptNo}'`,
  )
  const asked = callsOf('query_order')
  await run(payment)
  expect(callsOf('query_order')).toBe(asked)
  expect(await waiting(payment)).toEqual([])
})

test('a week is enough, and ten tries where no worker came for a week', async () => {
  const payment = await plantVirtualPayment(world, { ungranted: true })
  await tamper(
    world,
    `INSERT INTO grants (user_id, seq, kind, order_id, plan_code, plan_name, days, features, effective_at, expires_after, created_at, platform_host)
     SELECT user_id, 1, 'purchase', id, plan_code, plan_name, 30, '{}', business_now(), business_now() + interval '30 days',
       business_now() - interval '8 days', platform_host FROM orders WHERE out_trade_no = '${payment.attemptNo}'`,
  )
  world.platform.faults.add({ kind: 'error_before', at: 'xpay' })
  await run(payment)
  expect(await waiting(payment)).toMatchObject([{ attempt: 1 }])
  await run(payment, 8)
  expect(await waiting(payment)).toMatchObject([{ attempt: 9 }])
  await forgetJobs(world)
  await run(payment, 9)
  world.platform.faults.clear()
  expect(await waiting(payment)).toEqual([])
  expect(await alerts(payment)).toMatchObject([{ kind: 'delivery_unconfirmed' }])
  const old = new Date(world.services.runtime.now().getTime() - 8 * 86_400_000)
  const undecided = await plantVirtualPayment(world, { ungranted: true, paidAt: old })
  await run(undecided, 20)
  expect(await waiting(undecided)).toEqual([])
  expect(await alerts(undecided)).toEqual([])
})

test('what was told once stays, and an Apple payment is called one', async () => {
  const payment = await plantVirtualPayment(world, { system: 'ios' })
  const { virtual, database } = world.services
  if (!virtual) throw new Error('it is configured')
  const at = { attemptNo: payment.attemptNo, payerOpenid: payment.openid }
  world.platform.settleVirtualAfter(0)
  await askAttempt({ virtual, db: database.pool }, at)
  world.platform.settleVirtualAfter(null)
  const settled = await attemptOf(payment)
  expect(settled).toMatchObject({
    settlement: 'done',
    fee_fen: 348,
    settled_at: expect.any(Date),
    by_apple: true,
  })
  expect(
    await world.query('SELECT transaction_id, trade_type FROM orders WHERE out_trade_no = $1', [
      payment.attemptNo,
    ]),
  ).toEqual([{ transaction_id: null, trade_type: 'APPLE' }])
  const order = await virtual.queryOrder(payment.attemptNo, payment.openid)
  const other = { ...order, wxOrderId: 'another', channelOrderId: 'another', transactionId: 'told-later' }
  await Promise.all([recordAttemptFacts(database.pool, other), recordAttemptFacts(database.pool, other)])
  expect(await attemptOf(payment)).toMatchObject({
    settlement: 'done',
    fee_fen: 348,
    wx_order_id: theirs(payment).wxOrderId,
    channel_order_id: theirs(payment).channelOrderId,
  })
  expect(
    await world.query('SELECT transaction_id FROM orders WHERE out_trade_no = $1', [payment.attemptNo]),
  ).toEqual([{ transaction_id: 'told-later' }])
})

test('shipping information, which is of the other merchant, is never uploaded for it', async () => {
  await setSetting(world, 'upload_shipping_info', true)
  const { attemptNo: outTradeNo } = await plantVirtualPayment(world)
  await doJob(world, 'follow_payment', { outTradeNo })
  await doJob(world, 'queue_missed_shipping', {})
  expect(await world.query('SELECT * FROM shipping_uploads')).toEqual([])
  await setSetting(world, 'upload_shipping_info', false)
})
