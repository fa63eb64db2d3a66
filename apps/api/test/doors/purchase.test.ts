import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { openPool } from '@meridian/db'
import { afterEach, expect, test } from 'vitest'
import { expectRefused } from '../world/expect-refused.ts'
import { type Answer, JsapiPurchase, type Phone } from '../world/phone.ts'
import { platformFailures } from '../world/platform-failures.ts'
import { queuedJobs } from '../world/queued-jobs.ts'
import { setSetting } from '../world/set-setting.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

afterEach(() => world.platform.faults.clear())

const purchaseOf = (answer: Answer, status: number): JsapiPurchase => {
  expect([answer.status, answer.body]).toEqual([
    status,
    expect.objectContaining({ order: expect.anything() }),
  ])
  return JsapiPurchase.parse(answer.body)
}
type Stored = { out_trade_no: string; status: string; amount_fen: number }
const ordersOf = ({ openid }: Phone) =>
  world.query<Stored>(
    `SELECT out_trade_no, status::text, amount_fen FROM orders o JOIN users u ON u.id = o.user_id
     WHERE u.openid = $1 ORDER BY o.id`,
    [openid],
  )
const prepayCalls = (outTradeNo: string) =>
  world.platform.requests.filter(({ path, body }) => path.endsWith('/jsapi') && body.includes(outTradeNo))

const payableFor = (minutes: number) => setSetting(world, 'order_ttl_minutes', minutes)

test('a purchase answers 201 with an order that can be paid and what the phone needs for it', async () => {
  const phone = await world.phone()
  const { order, payment_params } = purchaseOf(await phone.purchaseAnswer('monthly', 'key-1'), 201)
  expect(order).toEqual({
    out_trade_no: expect.stringMatching(/^M[0-9A-Z]{26}$/),
    status: 'prepay',
    channel: 'jsapi',
    plan: { code: 'monthly', name: '月度会员', duration_days: 30 },
    amount_fen: 2900,
    refunded_fen: 0,
    currency: 'CNY',
    created_at: expect.any(String),
    expires_at: expect.any(String),
    paid_at: null,
    closed_at: null,
    imported: false,
  })
  expect(payment_params).toEqual({
    timeStamp: expect.stringMatching(/^\d{10}$/),
    nonceStr: expect.stringMatching(/^[0-9A-Za-z]{16,32}$/),
    package: expect.stringMatching(/^prepay_id=\w+$/),
    signType: 'RSA',
    paySign: expect.any(String),
  })
})

test('what the phone gets is signed by the merchant key over app id, time, nonce and package', async () => {
  const phone = await world.phone()
  const { payment_params: params } = await phone.buys('monthly')
  const { keys } = world.platform
  const message = `${keys.appId}\n${params.timeStamp}\n${params.nonceStr}\n${params.package}\n`
  const certificate = createPublicKey(keys.merchant.certificate)
  const holds = (text: string) =>
    verify('RSA-SHA256', Buffer.from(text), certificate, Buffer.from(params.paySign, 'base64'))
  expect([holds(message), holds(`${message} `)]).toEqual([true, false])
})

test('the platform is told the amount, the payer and the very instant at which the order expires', async () => {
  const phone = await world.phone()
  const { order } = await phone.buys('quarterly')
  const there = world.platform.orders.get(order.out_trade_no)
  expect(there).toMatchObject({
    amountFen: 7900,
    currency: 'CNY',
    payerOpenid: phone.openid,
    description: '季度会员',
  })
  expect(there?.expiresAt?.toISOString()).toBe(order.expires_at)
  const minutes = (Date.parse(order.expires_at) - Date.parse(order.created_at)) / 60_000
  expect(Math.round(minutes)).toBe(30)
})

test('the setting order_ttl_minutes says how long an order may be paid', async () => {
  await payableFor(5)
  const { order } = await (await world.phone()).buys('monthly')
  await payableFor(30)
  expect(Math.round((Date.parse(order.expires_at) - Date.parse(order.created_at)) / 60_000)).toBe(5)
})

/** How often workers were woken since the last time of asking. */
async function listenForWork() {
  const pool = openPool(world.databaseUrl, { maxConnections: 1 })
  const client = await pool.connect()
  const [heard, marks] = [[] as string[], new EventEmitter()]
  client.on('notification', ({ payload = '' }) => {
    if (payload.startsWith('mark')) marks.emit(payload)
    else heard.push(payload)
  })
  await client.query('LISTEN "jobs:insert"')
  const untilQuiet = async () => {
    const mark = `mark ${randomUUID()}`
    const marked = once(marks, mark)
    await world.query(`SELECT pg_notify('jobs:insert', $1)`, [mark])
    await marked
    return heard.splice(0).length
  }
  const close = async () => {
    client.release(true)
    await pool.end()
  }
  return { untilQuiet, [Symbol.asyncDispose]: close }
}

test('a purchase activates nothing', async () => {
  const phone = await world.phone()
  await phone.buys('yearly')
  expect(await phone.subscription()).toMatchObject({ is_active: false, remaining_days: 0, expires_at: null })
})

test('the timeline tells both steps with the request that made them', async () => {
  const phone = await world.phone()
  const answer = await phone.call('/subscription/purchase', {
    method: 'POST',
    body: { plan_code: 'monthly' },
  })
  const { order } = purchaseOf(answer, 201)
  const events = await world.query(
    `SELECT e.kind, e.channel, e.request_id FROM order_events e JOIN orders o ON o.id = e.order_id
     WHERE out_trade_no = $1 ORDER BY e.id`,
    [order.out_trade_no],
  )
  const request_id = answer.headers.get('x-request-id')
  expect(events).toEqual([
    { kind: 'create', channel: 'rest', request_id },
    { kind: 'prepare', channel: 'rest', request_id },
  ])
})

test('a purchase plans its question with its order, six seconds later under one key, and wakes no worker', async () => {
  const phone = await world.phone()
  const jobsOf = (outTradeNo: string) =>
    world.query<{ job: string; soon: boolean; attempt: number | null }>(
      `SELECT job, run_at BETWEEN o.prepay_expires_at - interval '1:59:55' AND o.created_at + interval '6 seconds' AS soon,
         (payload ->> 'attempt')::int AS attempt
       FROM ${queuedJobs} JOIN orders o ON o.out_trade_no = $1
       WHERE payload::text LIKE '%' || $1 || '%' ORDER BY job DESC`,
      [outTradeNo],
    )
  await using woken = await listenForWork()
  await woken.untilQuiet()
  const first = await phone.buys('monthly', 'alone')
  expect(await woken.untilQuiet()).toBe(0)
  expect(await jobsOf(first.order.out_trade_no)).toEqual([{ job: 'sweep_order', soon: true, attempt: 0 }])
  const second = await phone.buys('monthly', 'replacing')
  expect(await woken.untilQuiet()).toBe(0)
  expect(await jobsOf(second.order.out_trade_no)).toMatchObject([
    { job: 'sweep_order', soon: true },
    { job: 'retire_unpaid_orders' },
  ])
})

test('the question after a prepay that took longer, or came by a repeat, is planned with the prepay', async () => {
  const phone = await world.phone()
  const pauseOf = async (outTradeNo: string) =>
    world.query(
      `SELECT payload ->> 'fromOpening' AS "fromOpening", extract(epoch FROM run_at - prepay_expires_at + interval '2 hours')::float8 AS pause
       FROM ${queuedJobs} JOIN orders o ON o.out_trade_no = $1 WHERE key = 'sweep:' || $1`,
      [outTradeNo],
    )
  world.platform.faults.add({ kind: 'delay', at: 'prepay', ms: 600, times: 1 })
  const slow = await phone.buys('monthly', 'slow-prepay')
  expect(await pauseOf(slow.order.out_trade_no)).toEqual([{ fromOpening: null, pause: 5 }])
  world.platform.faults.add({ kind: 'error_before', at: 'prepay', status: 403, times: 1 })
  await phone.purchaseAnswer('quarterly', 'repeated-prepay')
  const repeated = await phone.buys('quarterly', 'repeated-prepay')
  expect(await pauseOf(repeated.order.out_trade_no)).toEqual([{ fromOpening: null, pause: 5 }])
})

test('the same key and plan answer 200 with the same order, the same prepay and a fresh signature', async () => {
  const phone = await world.phone()
  const first = purchaseOf(await phone.purchaseAnswer('monthly', 'again'), 201)
  const second = purchaseOf(await phone.purchaseAnswer('monthly', 'again'), 200)
  expect(second.order).toEqual(first.order)
  expect(second.payment_params.package).toBe(first.payment_params.package)
  expect(second.payment_params.nonceStr).not.toBe(first.payment_params.nonceStr)
  expect(second.payment_params.paySign).not.toBe(first.payment_params.paySign)
  expect(prepayCalls(first.order.out_trade_no)).toHaveLength(1)
})

test('an expired prepay is obtained again for the same order', async () => {
  const phone = await world.phone()
  await payableFor(180)
  const first = purchaseOf(await phone.purchaseAnswer('monthly', 'stale'), 201)
  await payableFor(30)
  await world.passTime({ hours: 2 })
  const second = purchaseOf(await phone.purchaseAnswer('monthly', 'stale'), 200)
  expect(second.order).toEqual(first.order)
  expect(second.payment_params.package).not.toBe(first.payment_params.package)
  expect(prepayCalls(first.order.out_trade_no)).toHaveLength(2)
  await phone.pays(second)
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('the same key with another plan is refused and stores nothing', async () => {
  const phone = await world.phone()
  await phone.purchaseAnswer('monthly', 'reused')
  expectRefused(await phone.purchaseAnswer('yearly', 'reused'), 422, 'idempotency_key_reused')
  expect(await ordersOf(phone)).toHaveLength(1)
})

test('a key belongs to its user alone', async () => {
  const [one, other] = [await world.phone(), await world.phone()]
  const first = purchaseOf(await one.purchaseAnswer('monthly', 'same-key'), 201)
  const second = purchaseOf(await other.purchaseAnswer('yearly', 'same-key'), 201)
  expect(second.order.out_trade_no).not.toBe(first.order.out_trade_no)
})

test('the key of a paid order is refused with the number of that order', async () => {
  const phone = await world.phone()
  const purchase = purchaseOf(await phone.purchaseAnswer('monthly', 'paid'), 201)
  await phone.pays(purchase)
  const answer = await phone.purchaseAnswer('monthly', 'paid')
  expectRefused(answer, 409, 'order_already_paid')
  expect(answer.body).toMatchObject({ out_trade_no: purchase.order.out_trade_no })
})

test('the key of a closed order is refused with the number of that order', async () => {
  const phone = await world.phone()
  const { order } = purchaseOf(await phone.purchaseAnswer('monthly', 'closed'), 201)
  await phone.call(`/subscription/orders/${order.out_trade_no}/cancel`, { method: 'POST' })
  const answer = await phone.purchaseAnswer('monthly', 'closed')
  expectRefused(answer, 409, 'order_closed')
  expect(answer.body).toMatchObject({ out_trade_no: order.out_trade_no })
})

test('an expected amount that differs from the price stores nothing', async () => {
  const phone = await world.phone()
  expectRefused(
    await phone.purchaseAnswer('monthly', 'dear', { expected_amount_fen: 2800 }),
    409,
    'price_changed',
  )
  expectRefused(
    await phone.purchaseAnswer('monthly', undefined, { expected_amount_fen: 0 }),
    409,
    'price_changed',
  )
  expect(await ordersOf(phone)).toEqual([])
  purchaseOf(await phone.purchaseAnswer('monthly', 'dear', { expected_amount_fen: 2900 }), 201)
})

test('an order keeps the price and the name it was bought for when the plan changes', async () => {
  const phone = await world.phone()
  const first = purchaseOf(await phone.purchaseAnswer('yearly', 'kept'), 201)
  await world.query(
    `UPDATE plans SET price_fen = 99900, name = 'new name', duration_days = 10 WHERE code = 'yearly'`,
  )
  try {
    expect(purchaseOf(await phone.purchaseAnswer('yearly', 'kept'), 200).order).toEqual(first.order)
    expectRefused(
      await phone.purchaseAnswer('yearly', 'kept', { expected_amount_fen: 99900 }),
      409,
      'price_changed',
    )
    expect(await ordersOf(phone)).toHaveLength(1)
  } finally {
    await world.query(
      `UPDATE plans SET price_fen = 26800, name = '年度会员', duration_days = 365 WHERE code = 'yearly'`,
    )
  }
})

test('two taps without a key, at the same time, make one order', async () => {
  const phone = await world.phone()
  const answers = await Promise.all([1, 2, 3, 4].map(() => phone.purchaseAnswer('monthly')))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
  const numbers = new Set(answers.map(({ body }) => JsapiPurchase.parse(body).order.out_trade_no))
  expect(numbers.size).toBe(1)
  expect(await ordersOf(phone)).toHaveLength(1)
  expect(prepayCalls([...numbers].join())).toHaveLength(1)
})

test('a second tap ten seconds later makes another order', async () => {
  const phone = await world.phone()
  const first = await phone.buys('monthly')
  await world.passTime({ seconds: 11 })
  const second = purchaseOf(await phone.purchaseAnswer('monthly'), 201)
  expect(second.order.out_trade_no).not.toBe(first.order.out_trade_no)
})

test('a tap on another plan, or at another price, makes another order', async () => {
  const phone = await world.phone()
  await phone.buys('monthly')
  purchaseOf(await phone.purchaseAnswer('quarterly'), 201)
  await world.query(`UPDATE plans SET price_fen = 3000 WHERE code = 'monthly'`)
  const dearer = purchaseOf(await phone.purchaseAnswer('monthly'), 201)
  await world.query(`UPDATE plans SET price_fen = 2900 WHERE code = 'monthly'`)
  expect(dearer.order.amount_fen).toBe(3000)
})

test('a tap after the first order was paid makes another order', async () => {
  const phone = await world.phone()
  await phone.pays(await phone.buys('monthly'))
  purchaseOf(await phone.purchaseAnswer('monthly'), 201)
})

test('simultaneous calls with one key make one order, ask for one prepay and answer the same', async () => {
  const phone = await world.phone()
  world.platform.faults.add({ kind: 'delay', at: 'prepay', ms: 400 })
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => phone.purchaseAnswer('monthly', 'at-once')))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
  const purchases = answers.map(({ body }) => JsapiPurchase.parse(body))
  for (const { order, payment_params } of purchases) {
    expect(order).toEqual(purchases[0]?.order)
    expect(payment_params.package).toBe(purchases[0]?.payment_params.package)
  }
  expect(await ordersOf(phone)).toHaveLength(1)
  expect(prepayCalls(purchases[0]?.order.out_trade_no ?? '')).toHaveLength(1)
})

test('a call that finds its key in flight answers the failure of the first call', async () => {
  const phone = await world.phone()
  world.platform.faults.add(
    { kind: 'delay', at: 'prepay', ms: 400 },
    { kind: 'error_before', at: 'prepay', status: 403 },
  )
  const answers = await Promise.all([1, 2].map(() => phone.purchaseAnswer('monthly', 'fail-alike')))
  for (const answer of answers) expectRefused(answer, 502, 'payment_platform_error')
  expect(await ordersOf(phone)).toMatchObject([{ status: 'created' }])
})

test('simultaneous repeats after a failure ask for one prepay and answer the same', async () => {
  const phone = await world.phone()
  world.platform.faults.add({ kind: 'error_before', at: 'prepay', status: 403, times: 1 })
  expectRefused(await phone.purchaseAnswer('monthly', 'repeats'), 502, 'payment_platform_error')
  world.platform.faults.add({ kind: 'delay', at: 'prepay', ms: 400 })
  const answers = await Promise.all([1, 2, 3].map(() => phone.purchaseAnswer('monthly', 'repeats')))
  const purchases = answers.map((answer) => purchaseOf(answer, 200))
  expect(new Set(purchases.map(({ payment_params }) => payment_params.package)).size).toBe(1)
  expect(prepayCalls(purchases[0]?.order.out_trade_no ?? '')).toHaveLength(2)
})

test('a call whose first call is still at work after six seconds is told so, with the number of the order', async () => {
  const phone = await world.phone()
  const { order } = purchaseOf(await phone.purchaseAnswer('monthly', 'in-flight'), 201)
  await world.query(
    `UPDATE orders SET prepay_leased_until = business_now() + interval '1 minute' WHERE out_trade_no = $1`,
    [order.out_trade_no],
  )
  const started = performance.now()
  const answer = await phone.purchaseAnswer('monthly', 'in-flight')
  expectRefused(answer, 409, 'idempotency_in_progress')
  expect(answer.body).toMatchObject({ out_trade_no: order.out_trade_no })
  const seconds = (performance.now() - started) / 1000
  expect(seconds).toBeGreaterThan(5.9)
  expect(seconds).toBeLessThan(30)
})

test('a repeat carries on with an order whose first call died before it had a prepay', async () => {
  const phone = await world.phone()
  world.platform.faults.add({ kind: 'error_before', at: 'prepay', times: 1 })
  await phone.purchaseAnswer('monthly', 'died')
  const [stored] = await ordersOf(phone)
  const outTradeNo = String(stored?.out_trade_no)
  // What a program leaves that dies at work: its lease still runs.
  await world.query(
    `UPDATE orders SET prepay_leased_until = business_now() + interval '1 second' WHERE out_trade_no = $1`,
    [outTradeNo],
  )
  const { order } = purchaseOf(await phone.purchaseAnswer('monthly', 'died'), 200)
  expect(order.out_trade_no).toBe(outTradeNo)
  expect(prepayCalls(outTradeNo)).toHaveLength(2)
})

test('a platform that does not answer in time is 504, and a repeat with the key carries on', async () => {
  const phone = await world.phone()
  world.platform.faults.add({ kind: 'delay', at: 'prepay', ms: 20_000 })
  const started = performance.now()
  const answer = await phone.purchaseAnswer('monthly', 'slow')
  expect(performance.now() - started).toBeLessThan(9500)
  expectRefused(answer, 504, 'payment_platform_timeout')
  const [stored] = await ordersOf(phone)
  expect(stored).toMatchObject({ status: 'created' })
  expect(answer.body).toMatchObject({ out_trade_no: stored?.out_trade_no })
  world.platform.faults.clear()
  const { order } = purchaseOf(await phone.purchaseAnswer('monthly', 'slow'), 200)
  expect(order).toMatchObject({ out_trade_no: stored?.out_trade_no, status: 'prepay' })
})

test.each([
  ['refuses', { kind: 'error_before', status: 403 }],
  ...platformFailures,
  ['works but answers an error', { kind: 'error_after', status: 500 }],
  ['signs with a clock that is ten minutes off', { kind: 'clock_skew', seconds: -600 }],
] as const)('a platform that %s is 502, and a repeat with the key carries on', async (_what, rule) => {
  const phone = await world.phone()
  world.platform.faults.add({ at: 'prepay', ...rule })
  const answer = await phone.purchaseAnswer('monthly', 'refused')
  expectRefused(answer, 502, 'payment_platform_error')
  const [stored] = await ordersOf(phone)
  expect(stored).toMatchObject({ status: 'created' })
  expect(answer.body).toMatchObject({ out_trade_no: stored?.out_trade_no })
  expect(prepayCalls(stored?.out_trade_no ?? '').length).toBeLessThanOrEqual(2)
  world.platform.faults.clear()
  const purchase = purchaseOf(await phone.purchaseAnswer('monthly', 'refused'), 200)
  expect(purchase.order).toMatchObject({ out_trade_no: stored?.out_trade_no, status: 'prepay' })
  await phone.pays(purchase)
  expect((await phone.subscription()).remaining_days).toBe(30)
  expect(await ordersOf(phone)).toHaveLength(1)
})

test('one failure of the platform is repeated inside the call and the client never learns of it', async () => {
  const phone = await world.phone()
  world.platform.faults.add({ kind: 'error_before', at: 'prepay', times: 1 })
  const { order } = purchaseOf(await phone.purchaseAnswer('monthly', 'once'), 201)
  expect(prepayCalls(order.out_trade_no)).toHaveLength(2)
})

test('a plan that does not exist or is not on sale cannot be bought', async () => {
  const phone = await world.phone()
  await world.query(`UPDATE plans SET on_sale = false WHERE code = 'quarterly'`)
  expectRefused(await phone.purchaseAnswer('quarterly'), 404, 'plan_not_found')
  await world.query(`UPDATE plans SET on_sale = true WHERE code = 'quarterly'`)
  expectRefused(await phone.purchaseAnswer('weekly'), 404, 'plan_not_found')
  expect(await ordersOf(phone)).toEqual([])
})

test('the sale policy of the client platform is enforced, and nothing is stored against it', async () => {
  const phone = await world.phone()
  const buyOn = (platform?: string) =>
    phone.call('/subscription/purchase', {
      method: 'POST',
      body: { plan_code: 'monthly' },
      headers: platform ? { 'x-client-platform': platform } : {},
    })
  const policy = (allowed: boolean) => ({ allowed, message: null })
  const set = (ios: boolean, other: boolean) =>
    setSetting(world, 'sale_policy', { ios: policy(ios), android: policy(true), other: policy(other) })
  await set(false, false)
  for (const platform of ['ios', 'harmony', undefined])
    expectRefused(await buyOn(platform), 403, 'sale_not_allowed')
  expect(await ordersOf(phone)).toEqual([])
  purchaseOf(await buyOn('android'), 201)
  await set(true, true)
  purchaseOf(await buyOn('ios'), 200)
})

test.each([
  ['empty', ''],
  ['of 65 characters', 'k'.repeat(65)],
  ['with a space', 'two words'],
  ['with a dot', 'a.b'],
  ['with a letter beyond ASCII', 'schlüssel'],
])('a key %s is an invalid request', async (_what, key) => {
  const phone = await world.phone()
  const answer = await phone.call('/subscription/purchase', {
    method: 'POST',
    body: { plan_code: 'monthly' },
    headers: { 'idempotency-key': key },
  })
  expectRefused(answer, 400, 'invalid_request')
  expect(answer.body).toMatchObject({ errors: [{ path: 'idempotency-key' }] })
  expect(await ordersOf(phone)).toEqual([])
})

test('a key of 64 characters is a key', async () => {
  const phone = await world.phone()
  purchaseOf(await phone.purchaseAnswer('monthly', `${'k'.repeat(60)}_-9Z`), 201)
})

test.each([
  ['no plan', {}],
  ['a plan that is a number', { plan_code: 1 }],
  ['a plan in capitals', { plan_code: 'MONTHLY' }],
  ['an amount that is text', { plan_code: 'monthly', expected_amount_fen: '2900' }],
  ['a negative amount', { plan_code: 'monthly', expected_amount_fen: -1 }],
  ['half a fen', { plan_code: 'monthly', expected_amount_fen: 2900.5 }],
  ['no amount at all', { plan_code: 'monthly', expected_amount_fen: null }],
])('a purchase with %s is an invalid request', async (_what, body) => {
  const phone = await world.phone()
  const answer = await phone.call('/subscription/purchase', { method: 'POST', body })
  expectRefused(answer, 400, 'invalid_request')
  expect(await ordersOf(phone)).toEqual([])
})

test('nothing in the request names another price, user or payer', async () => {
  const phone = await world.phone()
  const more = {
    amount_fen: 1,
    price_fen: 1,
    user_id: 'x',
    openid: 'oSomebody',
    payer: 'oSomebody',
    status: 'paid',
  }
  const { order } = purchaseOf(await phone.purchaseAnswer('monthly', undefined, more), 201)
  expect(order).toMatchObject({ amount_fen: 2900, status: 'prepay' })
  expect(world.platform.orders.get(order.out_trade_no)).toMatchObject({
    amountFen: 2900,
    payerOpenid: phone.openid,
  })
})

test('without payment credentials a purchase is 503 and stores nothing', async () => {
  await using closed = await openTestWorld({ payments: 'off' })
  const phone = await closed.phone()
  for (const key of ['off', undefined])
    expectRefused(await phone.purchaseAnswer('monthly', key), 503, 'payment_not_configured')
  expect(await closed.query('SELECT 1 FROM orders')).toEqual([])
})
