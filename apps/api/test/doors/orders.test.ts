import { Order, pageOf as pageSchema, SyncAnswer } from '@meridian/contracts'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { expectRefused } from '../world/expect-refused.ts'
import type { Answer, Phone } from '../world/phone.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { platformFailures } from '../world/platform-failures.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

afterEach(() => world.platform.faults.clear())

const numberOf = ({ order }: { order: { out_trade_no: string } }) => order.out_trade_no

async function pageOf(phone: Phone, query: string) {
  const answer = await phone.call(`/subscription/orders${query}`)
  expect(answer.status).toBe(200)
  return pageSchema(Order).parse(answer.body)
}

const sync = (phone: Phone, outTradeNo: string) =>
  phone.call(`/subscription/orders/${outTradeNo}/sync`, { method: 'POST' })
const cancel = (phone: Phone, outTradeNo: string) =>
  phone.call(`/subscription/orders/${outTradeNo}/cancel`, { method: 'POST' })
const askedAbout = (outTradeNo: string) =>
  world.platform.requests.filter(({ path }) => path.includes(outTradeNo)).map(({ method }) => method)

type Stored = { status: string; confirmed_by: string | null; close_reason: string | null; parked: boolean }
async function stored(outTradeNo: string): Promise<Stored | undefined> {
  const [row] = await world.query<Stored>(
    'SELECT status::text, confirmed_by::text, close_reason::text, parked FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  return row
}

// Lists ----------------------------------------------------------------------------------------------------

test('a list is an envelope of orders, newest first, and nothing else', async () => {
  const phone = await world.phone()
  expect((await phone.call('/subscription/orders')).body).toEqual({ items: [], next_cursor: null })
  const [older, newer] = [await phone.buys('monthly'), await phone.buys('yearly')]
  const { body } = await phone.call('/subscription/orders')
  expect(body).toEqual({ items: [newer.order, older.order], next_cursor: null })
})

test('paging reads every order once, although orders share an instant and new ones arrive meanwhile', async () => {
  const phone = await world.phone()
  const planted = await plantOrders(world, { count: 47, openid: phone.openid, together: 6 })
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await pageOf(phone, `?limit=7${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    seen.push(...page.items.map(({ out_trade_no }) => out_trade_no))
    cursor = page.next_cursor
    await plantOrders(world, { count: 3, openid: phone.openid, ago: '0 seconds' })
  }
  expect(seen).toEqual(planted)
})

test('a page holds twenty orders unless asked otherwise, and a full last page says that it is the last', async () => {
  const phone = await world.phone()
  await plantOrders(world, { count: 40, openid: phone.openid })
  const first = await pageOf(phone, '')
  expect(first.items).toHaveLength(20)
  const last = await pageOf(phone, `?cursor=${first.next_cursor}`)
  expect([last.items.length, last.next_cursor]).toEqual([20, null])
  expect((await pageOf(phone, '?limit=100')).items).toHaveLength(40)
  expect((await pageOf(phone, '?limit=1')).items).toHaveLength(1)
})

test.each(['0', '101', '-1', 'ten', '1.5', ''])(
  'a limit of "%s" is an invalid request that names it',
  async (limit) => {
    const answer = await (await world.phone()).call(`/subscription/orders?limit=${limit}`)
    expectRefused(answer, 400, 'invalid_request')
    expect(answer.body).toMatchObject({ errors: [{ path: 'limit' }] })
  },
)

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const instant = '2026-01-01 00:00:00+00'
test.each([
  ['nothing', ''],
  ['no base64', '***'],
  ['base64 of no JSON', Buffer.from('hello').toString('base64url')],
  ['another shape', encoded({ id: 1 })],
  ['too few parts', encoded([instant, '1'])],
  ['an id that is no number', encoded([instant, '1; DROP TABLE orders', 'next'])],
  ['an id beyond all numbers', encoded([instant, '9'.repeat(30), 'next'])],
  ['another sort key', encoded(['2900', '1', 'next'])],
  ['a month that does not exist', encoded(['2026-13-01 00:00:00+00', '1', 'next'])],
  ['a day that does not exist', encoded(['2026-02-30 00:00:00+00', '1', 'next'])],
  ['an hour that does not exist', encoded(['2026-01-01 25:00:00+00', '1', 'next'])],
  ['the year zero', encoded(['0000-01-01 00:00:00+00', '1', 'next'])],
  ['another direction', encoded([instant, '1', 'sideways'])],
  ['600 characters', 'a'.repeat(600)],
])('a cursor made of %s is an invalid request that names it', async (_what, cursor) => {
  const answer = await (await world.phone()).call(`/subscription/orders?cursor=${cursor}`)
  expectRefused(answer, 400, 'invalid_request')
  expect(answer.body).toMatchObject({ errors: [{ path: 'cursor' }] })
})

test("somebody else's cursor shows nobody else's orders", async () => {
  const [one, other] = [await world.phone(), await world.phone()]
  await plantOrders(world, { count: 5, openid: one.openid })
  const { next_cursor } = await pageOf(one, '?limit=2')
  expect((await pageOf(other, `?cursor=${next_cursor}`)).items).toEqual([])
})

// Details --------------------------------------------------------------------------------------------------

test('a detail is the order in an envelope, as the list shows it', async () => {
  const phone = await world.phone()
  const { order } = await phone.buys('monthly')
  const answer = await phone.call(`/subscription/orders/${order.out_trade_no}`)
  expect([answer.status, answer.body]).toEqual([200, { order }])
})

test('a paid order tells when it was paid, by the clock of the platform', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  const paidAt = new Date(world.services.runtime.now().getTime() - 5000)
  await phone.pays(purchase, { paidAt })
  const order = await phone.order(numberOf(purchase))
  expect(order).toMatchObject({ status: 'paid', closed_at: null, refunded_fen: 0 })
  expect(Date.parse(order.paid_at ?? '')).toBe(Math.floor(paidAt.getTime() / 1000) * 1000)
})

test("another user's order is in every way like one that does not exist", async () => {
  const [owner, stranger] = [await world.phone(), await world.phone()]
  const unpaid = numberOf(await owner.buys('monthly'))
  const paid = await owner.buys('quarterly')
  await owner.pays(paid)
  const nobodys = 'M01ARZ3NDEKTSV4RRFFQ69G5FAV'
  const operations = [
    ['GET', ''],
    ['POST', '/sync'],
    ['POST', '/cancel'],
  ] as const
  for (const [method, action] of operations) {
    const path = (outTradeNo: string) => `/subscription/orders/${outTradeNo}${action}`
    const nameless = ({ body }: Answer) => ({ ...Object(body), request_id: '' })
    const missing = await stranger.call(path(nobodys), { method })
    expectRefused(missing, 404, 'order_not_found')
    for (const outTradeNo of [unpaid, numberOf(paid)])
      expect(nameless(await stranger.call(path(outTradeNo), { method }))).toEqual(nameless(missing))
  }
  expect(askedAbout(unpaid)).toEqual([])
  expect((await stored(unpaid))?.status).toBe('prepay')
})

test.each([
  'x',
  '%00',
  '%F0%9F%92%B0',
  'm01arz3ndektsv4rrffq69g5fav',
  "'%20OR%201=1--",
  '..%2F..%2Fme',
  'a'.repeat(300),
])('an order named %s does not exist', async (name) => {
  const phone = await world.phone()
  expectRefused(await phone.call(`/subscription/orders/${name}`), 404, 'order_not_found')
  expectRefused(await sync(phone, name), 404, 'order_not_found')
  expectRefused(await cancel(phone, name), 404, 'order_not_found')
})

// Sync -----------------------------------------------------------------------------------------------------

test('a sync of an unpaid order changes nothing and answers the order with the subscription', async () => {
  const phone = await world.phone()
  const { order } = await phone.buys('monthly')
  const answer = await sync(phone, order.out_trade_no)
  expect([answer.status, answer.body]).toEqual([200, { order, subscription: await phone.subscription() }])
  expect(askedAbout(order.out_trade_no)).toEqual(['GET'])
})

test('a sync finds a payment nobody told us of, and activates', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  await phone.pays(purchase, { silent: true })
  const { order, subscription } = await phone.syncs(numberOf(purchase))
  expect(order.status).toBe('paid')
  expect(subscription).toMatchObject({ is_active: true, remaining_days: 30, plan: { code: 'monthly' } })
  expect(await stored(numberOf(purchase))).toMatchObject({ confirmed_by: 'sync' })
})

test('a sync of a paid order answers at once, without a call to the platform', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  await phone.pays(purchase)
  world.platform.faults.add({ kind: 'drop', at: 'query' })
  const { order, subscription } = await phone.syncs(numberOf(purchase))
  expect([order.status, subscription.remaining_days]).toEqual(['paid', 30])
  expect(askedAbout(numberOf(purchase))).toEqual([])
})

test('many syncs at once activate once', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  await phone.pays(purchase, { silent: true })
  const answers = await Promise.all(Array.from({ length: 8 }, () => sync(phone, numberOf(purchase))))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await phone.subscription()).remaining_days).toBe(30)
})

/** Puts the platform's order into a state of its own accord. */
const stateThere = (outTradeNo: string, state: string) =>
  Reflect.set(world.platform.orders.get(outTradeNo) ?? {}, 'state', state)

test('a sync closes what the platform closed', async () => {
  const phone = await world.phone()
  const outTradeNo = numberOf(await phone.buys('monthly'))
  stateThere(outTradeNo, 'CLOSED')
  const { order } = await phone.syncs(outTradeNo)
  expect(order).toMatchObject({ status: 'closed', closed_at: expect.any(String) })
  expect(await stored(outTradeNo)).toMatchObject({ close_reason: 'platform_closed' })
})

test.each(['USERPAYING', 'PAYERROR', 'REVOKED', 'ACCEPT', 'SOMETHING_NEW'])(
  'a sync of an order that the platform calls %s changes nothing',
  async (state) => {
    const phone = await world.phone()
    const { order } = await phone.buys('monthly')
    stateThere(order.out_trade_no, state)
    expect((await phone.syncs(order.out_trade_no)).order).toEqual(order)
  },
)

/** The number of an order that the platform never heard of. */
async function unheardOf(phone: Phone): Promise<string> {
  world.platform.faults.add({ kind: 'error_before', at: 'prepay' })
  const answer = await phone.purchaseAnswer('monthly')
  world.platform.faults.clear()
  return z.object({ out_trade_no: z.string() }).parse(answer.body).out_trade_no
}

test('a sync of an order that the platform never heard of changes nothing', async () => {
  const phone = await world.phone()
  const out_trade_no = await unheardOf(phone)
  expect((await phone.syncs(out_trade_no)).order.status).toBe('created')
})

test('a sync finds the payment of an order that was closed here', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  await cancel(phone, numberOf(purchase))
  await world.platform.pay(numberOf(purchase), { late: true, silent: true })
  const { order, subscription } = await phone.syncs(numberOf(purchase))
  expect([order.status, subscription.remaining_days]).toEqual(['paid', 30])
})

test('money that went back by no refund of ours makes the order paid and parked, without days', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  await phone.pays(purchase, { silent: true })
  stateThere(numberOf(purchase), 'REFUND')
  const { order, subscription } = await phone.syncs(numberOf(purchase))
  expect([order.status, subscription.is_active]).toEqual(['paid', false])
  expect(await stored(numberOf(purchase))).toMatchObject({ parked: true })
})

test.each(['wrong_amount', 'wrong_app_id', 'wrong_mch_id', 'wrong_currency'] as const)(
  'a sync that finds a payment with %s answers 200 with the order unchanged, and the alert is ours',
  async (kind) => {
    const phone = await world.phone()
    const purchase = await phone.buys('monthly')
    await phone.pays(purchase, { silent: true })
    world.platform.faults.add({ kind, at: 'query' })
    const answer = await sync(phone, numberOf(purchase))
    expect(answer.status).toBe(200)
    const { order, subscription } = SyncAnswer.parse(answer.body)
    expect([order, subscription.is_active]).toEqual([purchase.order, false])
    const alerts = await world.query('SELECT kind, times FROM alerts WHERE subject = $1', [
      numberOf(purchase),
    ])
    expect(alerts).toEqual([{ kind: 'payment_mismatch', times: 1 }])
  },
)

const failures = [
  ...platformFailures,
  ['names a key nobody knows', { kind: 'unknown_serial' }],
  ['does not answer in time', { kind: 'delay', ms: 20_000 }],
] as const

test.each(failures)('a sync while the platform %s leaves the order unchanged', async (_what, rule) => {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  await phone.pays(purchase, { silent: true })
  world.platform.faults.add({ at: 'query', ...rule })
  const answer = await sync(phone, numberOf(purchase))
  if (rule.kind === 'delay') expectRefused(answer, 504, 'payment_platform_timeout')
  else expectRefused(answer, 502, 'payment_platform_error')
  expect(answer.body).toMatchObject({ out_trade_no: numberOf(purchase) })
  expect(await phone.order(numberOf(purchase))).toEqual(purchase.order)
  expect((await phone.subscription()).is_active).toBe(false)
  world.platform.faults.clear()
  expect((await phone.syncs(numberOf(purchase))).order.status).toBe('paid')
})

// Cancel ---------------------------------------------------------------------------------------------------

test('a cancel asks, closes on the platform, then here', async () => {
  const phone = await world.phone()
  const outTradeNo = numberOf(await phone.buys('monthly'))
  const answer = await cancel(phone, outTradeNo)
  expect(answer).toMatchObject({
    status: 200,
    body: { order: { status: 'closed', closed_at: expect.any(String) } },
  })
  expect(answer.body).toEqual({ order: await phone.order(outTradeNo) })
  expect(askedAbout(outTradeNo)).toEqual(['GET', 'POST'])
  expect(world.platform.orders.get(outTradeNo)?.state).toBe('CLOSED')
  expect(await stored(outTradeNo)).toMatchObject({ close_reason: 'cancelled' })
})

test('a cancel of a closed order answers 200 again, without a call to the platform', async () => {
  const phone = await world.phone()
  const outTradeNo = numberOf(await phone.buys('monthly'))
  const first = await cancel(phone, outTradeNo)
  world.platform.faults.add({ kind: 'drop' })
  const second = await cancel(phone, outTradeNo)
  expect([second.status, second.body]).toEqual([200, first.body])
})

test('a cancel of a paid order is refused with its number', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  await phone.pays(purchase)
  const answer = await cancel(phone, numberOf(purchase))
  expectRefused(answer, 409, 'order_already_paid')
  expect(answer.body).toMatchObject({ out_trade_no: numberOf(purchase) })
})

test('a cancel that finds a payment nobody told us of activates and is refused', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  await phone.pays(purchase, { silent: true })
  expectRefused(await cancel(phone, numberOf(purchase)), 409, 'order_already_paid')
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('a payment that slips in between the question and the closing wins', async () => {
  const phone = await world.phone()
  const outTradeNo = numberOf(await phone.buys('monthly'))
  world.platform.faults.add({ kind: 'delay', at: 'query', ms: 400, times: 1 })
  const cancelled = cancel(phone, outTradeNo)
  await expect.poll(() => world.platform.faults.rules, { interval: 5 }).toEqual([])
  await world.platform.pay(outTradeNo, { silent: true })
  expectRefused(await cancelled, 409, 'order_already_paid')
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('a cancel of an order that never reached the platform closes it here', async () => {
  const phone = await world.phone()
  const out_trade_no = await unheardOf(phone)
  expect((await cancel(phone, out_trade_no)).body).toMatchObject({ order: { status: 'closed' } })
  expect(askedAbout(out_trade_no)).toEqual(['GET'])
})

test('a cancel of an overdue order closes it all the same', async () => {
  const phone = await world.phone()
  const outTradeNo = numberOf(await phone.buys('monthly'))
  await world.passTime({ hours: 1 })
  expect((await cancel(phone, outTradeNo)).body).toMatchObject({ order: { status: 'closed' } })
})

test.each(['query', 'close'] as const)('a cancel whose %s fails leaves the order open', async (at) => {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  world.platform.faults.add({ kind: 'error_before', at })
  const answer = await cancel(phone, numberOf(purchase))
  expectRefused(answer, 502, 'payment_platform_error')
  expect(answer.body).toMatchObject({ out_trade_no: numberOf(purchase) })
  expect(await phone.order(numberOf(purchase))).toEqual(purchase.order)
  world.platform.faults.clear()
  expect((await cancel(phone, numberOf(purchase))).status).toBe(200)
})

test('without payment credentials sync and cancel of an unpaid order are 503, reading goes on', async () => {
  await using closed = await openTestWorld({ payments: 'off' })
  const phone = await closed.phone()
  const [outTradeNo = ''] = await plantOrders(closed, { count: 1, openid: phone.openid })
  expectRefused(await sync(phone, outTradeNo), 503, 'payment_not_configured')
  expectRefused(await cancel(phone, outTradeNo), 503, 'payment_not_configured')
  expect((await phone.order(outTradeNo)).status).toBe('created')
})
