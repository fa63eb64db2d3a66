import { describe, expect, test } from 'vitest'
import { closeUnpaidOrder } from '../../src/payments/settle-order.ts'
import { sweepOrder } from '../../src/payments/sweep-order.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { setSetting } from '../world/set-setting.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

const stateOf = async (outTradeNo: string) =>
  (
    await world.query<Record<string, unknown>>(
      'SELECT status::text, late, parked, park_reason, confirmed_by::text, close_reason::text FROM orders WHERE out_trade_no = $1',
      [outTradeNo],
    )
  )[0]

const setLatePolicy = (policy: string) => setSetting(world, 'late_payment_policy', policy)

const close = (outTradeNo: string) =>
  closeUnpaidOrder(world.services, {
    outTradeNo,
    channel: 'jsapi',
    confirmedBy: 'sweep',
    requestId: null,
    reason: 'expired',
  })

/** A payment that lands on the platform after we closed the order there and here. */
async function payAfterClosing(paidAt: (expiresAt: Date) => Date) {
  const phone = await world.phone()
  const purchase = await phone.buys()
  const outTradeNo = purchase.order.out_trade_no
  expect(await close(outTradeNo)).toBe('closed')
  await world.platform.pay(outTradeNo, {
    late: true,
    silent: true,
    paidAt: paidAt(new Date(purchase.order.expires_at)),
  })
  const answer = await world.platform.deliver(world.platform.notification(outTradeNo))
  return { phone, outTradeNo, answer }
}

const aMinuteAfter = (instant: Date) => new Date(instant.getTime() + 60_000)
const aMinuteBefore = (instant: Date) => new Date(instant.getTime() - 60_000)

test('rule 1: an order activates exactly once, however notification, sync and sweep repeat', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys('quarterly')
  const outTradeNo = purchase.order.out_trade_no
  await phone.pays(purchase)
  await Promise.all([
    phone.syncs(outTradeNo),
    sweepOrder(world.services, { outTradeNo, attempt: 0 }),
    world.platform.resend(outTradeNo),
  ])
  expect((await phone.subscription()).remaining_days).toBe(90)
})

test('rule 2: the creation of an order never activates anything', async () => {
  const phone = await world.phone()
  await phone.buys('yearly')
  expect(await phone.subscription()).toMatchObject({ is_active: false, remaining_days: 0, features: [] })
})

describe('rule 3: a confirmed payment is never lost', () => {
  test('a payment made in time always activates, also when we had closed the order', async () => {
    const { phone, outTradeNo, answer } = await payAfterClosing(aMinuteBefore)
    expect(answer.status).toBe(204)
    expect(await stateOf(outTradeNo)).toMatchObject({ status: 'paid', late: false, parked: false })
    expect((await phone.subscription()).remaining_days).toBe(30)
  })

  test('a late payment activates by default and is marked late', async () => {
    const { phone, outTradeNo } = await payAfterClosing(aMinuteAfter)
    expect(await stateOf(outTradeNo)).toMatchObject({ status: 'paid', late: true, parked: false })
    expect((await phone.subscription()).remaining_days).toBe(30)
  })

  test('a late payment under the policy "ask" is paid, parked and grants nothing until somebody decides', async () => {
    await setLatePolicy('ask')
    const { phone, outTradeNo } = await payAfterClosing(aMinuteAfter)
    await setLatePolicy('activate')
    expect(await stateOf(outTradeNo)).toMatchObject({
      status: 'paid',
      late: true,
      parked: true,
      park_reason: 'late_payment',
    })
    expect((await phone.subscription()).is_active).toBe(false)
  })

  test('a lost notification is healed by the sync of the phone', async () => {
    const phone = await world.phone()
    const purchase = await phone.buys()
    await phone.pays(purchase, { silent: true })
    const { order, subscription } = await phone.syncs(purchase.order.out_trade_no)
    expect(order.status).toBe('paid')
    expect(subscription).toMatchObject({ is_active: true, remaining_days: 30 })
    expect(await stateOf(order.out_trade_no)).toMatchObject({ confirmed_by: 'sync' })
  })

  test('a lost notification is healed by the sweeper although nobody asks', async () => {
    const phone = await world.phone()
    const purchase = await phone.buys()
    await phone.pays(purchase, { silent: true })
    await sweepOrder(world.services, { outTradeNo: purchase.order.out_trade_no, attempt: 0 })
    expect(await stateOf(purchase.order.out_trade_no)).toMatchObject({
      status: 'paid',
      confirmed_by: 'sweep',
    })
    expect((await phone.subscription()).remaining_days).toBe(30)
  })
})

test('rule 4: what differs from the order never activates, and is recorded, shown and refused; another payer is only flagged', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys()
  const outTradeNo = purchase.order.out_trade_no
  await phone.pays(purchase, { silent: true })
  const others = [
    { amountFen: 1 },
    { currency: 'USD' },
    { appId: 'wx0000000000000000' },
    { mchId: '1900000000' },
  ]
  for (const other of others) {
    const answer = await world.platform.deliver(world.platform.notification(outTradeNo, other))
    expect([answer.status, JSON.parse(answer.answer)]).toMatchObject([409, { code: 'FAIL' }])
  }
  for (const kind of ['wrong_amount', 'wrong_currency', 'wrong_app_id', 'wrong_mch_id'] as const) {
    world.platform.faults.add({ kind, at: 'query', outTradeNo, times: 1 })
    expect((await phone.syncs(outTradeNo)).order.status).toBe('prepay')
  }
  expect((await phone.subscription()).is_active).toBe(false)
  const alerts = await world.query('SELECT kind, times FROM alerts WHERE subject = $1', [outTradeNo])
  expect(alerts).toEqual([{ kind: 'payment_mismatch', times: 8 }])
  const stranger = world.platform.notification(outTradeNo, { payerOpenid: 'o-somebody-else' })
  expect((await world.platform.deliver(stranger)).status).toBe(204)
  const [order] = await world.query('SELECT status, payer_differs FROM orders WHERE out_trade_no = $1', [
    outTradeNo,
  ])
  expect(order).toEqual({ status: 'paid', payer_differs: true })
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('rule 5: the database itself refuses to take a paid order back', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  for (const status of ['created', 'prepay', 'closed'])
    await expect(
      world.query('UPDATE orders SET status = $2::order_status WHERE out_trade_no = $1', [
        outTradeNo,
        status,
      ]),
    ).rejects.toThrow(/may not change/)
  expect(await close(outTradeNo)).toBe('already_paid')
})

test('rule 6: the timeline and the ledger refuse to be rewritten', async () => {
  const phone = await world.phone()
  await phone.pays(await phone.buys())
  for (const statement of [
    'UPDATE order_events SET kind = NULL',
    'DELETE FROM order_events',
    'UPDATE grants SET days = 1',
    'DELETE FROM grants',
    'TRUNCATE grants CASCADE',
  ])
    await expect(world.query(statement)).rejects.toThrow(/append-only/)
})

test('rule 7: every paid order has its purchase grant or is parked, and the ledger recomputes to what is stored', async () => {
  const orphans = await world.query(`
    SELECT out_trade_no FROM orders o WHERE status = 'paid' AND NOT parked
      AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase')`)
  const unpaid = await world.query(`
    SELECT 1 FROM grants g JOIN orders o ON o.id = g.order_id WHERE g.kind = 'purchase' AND o.status NOT IN ('paid', 'refunded')`)
  expect([orphans, unpaid]).toEqual([[], []])
  expect((await verifyLedger(world.services.database.pool)).differences).toEqual([])
})

test('an order past its expiry is asked about, closed on the platform and then here', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys()
  const outTradeNo = purchase.order.out_trade_no
  expect(await close(outTradeNo)).toBe('closed')
  expect(world.platform.orders.get(outTradeNo)?.state).toBe('CLOSED')
  expect(await stateOf(outTradeNo)).toMatchObject({ status: 'closed', close_reason: 'expired' })
})

test('money that the platform says went back elsewhere is paid without days and parked', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys()
  const outTradeNo = purchase.order.out_trade_no
  await phone.pays(purchase, { silent: true })
  const order = world.platform.orders.get(outTradeNo)
  if (!order) throw new Error('the platform knows the order')
  order.state = 'REFUND'
  await phone.syncs(outTradeNo)
  expect(await stateOf(outTradeNo)).toMatchObject({
    status: 'paid',
    parked: true,
    park_reason: 'refunded_elsewhere',
  })
  expect((await phone.subscription()).is_active).toBe(false)
})

test('two orders of one user paid within ten minutes raise one alert', async () => {
  await using jobs = await openTestWorld({ jobs: true })
  const phone = await jobs.phone()
  const first = await phone.buys('monthly', 'one')
  await phone.pays(first)
  const second = await phone.buys('monthly', 'two')
  await phone.pays(second)
  const subject = [first, second]
    .map(({ order }) => order.out_trade_no)
    .sort()
    .join(' ')
  await expect
    .poll(() => jobs.query('SELECT kind FROM alerts WHERE subject = $1', [subject]))
    .toEqual([{ kind: 'possible_double_payment' }])
})
