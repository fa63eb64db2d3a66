import type { Platform } from '@meridian/payments/testing'
import { beforeAll, expect, test } from 'vitest'
import { payInSilence } from '../world/pay-in-silence.ts'
import type { Phone } from '../world/phone.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let phone: Phone
let platform: Platform

beforeAll(async () => {
  platform = world.platform
})

/** A new person with an order that the platform holds as paid, and of which we have not been told. */
async function paidInSilence(planCode = 'monthly'): Promise<string> {
  const paid = await payInSilence(world, planCode)
  phone = paid.phone
  return paid.outTradeNo
}

const outcomesOf = (outTradeNo: string) =>
  world.query<{ outcome: string; deliveries: number }>(
    'SELECT outcome::text, deliveries FROM notifications WHERE out_trade_no = $1 ORDER BY first_at',
    [outTradeNo],
  )
const alertsOf = (subject: string) =>
  world.query<{ kind: string; times: number }>('SELECT kind, times FROM alerts WHERE subject = $1', [subject])
const grantsOf = (outTradeNo: string) =>
  world.query<{ days: number }>(
    'SELECT g.days FROM grants g JOIN orders o ON o.id = g.order_id WHERE o.out_trade_no = $1',
    [outTradeNo],
  )

test('a verified payment is answered 204 without a body and kept once in the inbox', async () => {
  const outTradeNo = await paidInSilence()
  const answer = await platform.deliver(platform.notification(outTradeNo))
  expect(answer).toMatchObject({ status: 204, answer: '' })
  expect(await outcomesOf(outTradeNo)).toEqual([{ outcome: 'applied', deliveries: 1 }])
})

test('a repeated delivery is counted, answers 204 and grants nothing further', async () => {
  const outTradeNo = await paidInSilence()
  const notification = platform.notification(outTradeNo, { id: 'EV-repeated' })
  for (const _ of [1, 2, 3]) expect((await platform.deliver(notification)).status).toBe(204)
  expect(await outcomesOf(outTradeNo)).toEqual([{ outcome: 'applied', deliveries: 3 }])
  expect(await grantsOf(outTradeNo)).toEqual([{ days: 30 }])
})

test('the same payment under another notification id is already paid', async () => {
  const outTradeNo = await paidInSilence()
  await platform.deliver(platform.notification(outTradeNo, { id: 'EV-one' }))
  expect((await platform.deliver(platform.notification(outTradeNo, { id: 'EV-two' }))).status).toBe(204)
  expect((await outcomesOf(outTradeNo)).map(({ outcome }) => outcome)).toEqual(['applied', 'already_paid'])
  expect(await grantsOf(outTradeNo)).toHaveLength(1)
})

test.each([
  ['amount', { amountFen: 1 }],
  ['currency', { currency: 'USD' }],
  ['app id', { appId: 'wx0000000000000000' }],
  ['merchant id', { mchId: '1900000000' }],
])(
  'a payment with another %s is answered 409, recorded with an alert and never activates',
  async (_what, changes) => {
    const outTradeNo = await paidInSilence()
    const notification = platform.notification(outTradeNo, changes)
    const first = await platform.deliver(notification)
    expect(first.status).toBe(409)
    expect(JSON.parse(first.answer)).toMatchObject({ code: 'FAIL' })
    await platform.deliver(notification)
    expect(await outcomesOf(outTradeNo)).toEqual([{ outcome: 'mismatch', deliveries: 2 }])
    expect(await alertsOf(outTradeNo)).toEqual([{ kind: 'payment_mismatch', times: 2 }])
    expect((await phone.subscription()).is_active).toBe(false)
    expect((await phone.order(outTradeNo)).status).toBe('prepay')
    const mismatches = await world.query(
      `SELECT 1 FROM order_events e JOIN orders o ON o.id = e.order_id WHERE o.out_trade_no = $1 AND e.kind = 'mismatch'`,
      [outTradeNo],
    )
    expect(mismatches).toHaveLength(1)
  },
)

test('a mismatch that the platform corrects under the same id is processed afresh', async () => {
  const outTradeNo = await paidInSilence()
  await platform.deliver(platform.notification(outTradeNo, { id: 'EV-corrected', amountFen: 5 }))
  expect((await platform.deliver(platform.notification(outTradeNo, { id: 'EV-corrected' }))).status).toBe(204)
  expect(await outcomesOf(outTradeNo)).toEqual([{ outcome: 'applied', deliveries: 2 }])
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('another payer alone is paid and flagged', async () => {
  const outTradeNo = await paidInSilence()
  expect(
    (await platform.deliver(platform.notification(outTradeNo, { payerOpenid: 'o-somebody-else' }))).status,
  ).toBe(204)
  const [order] = await world.query('SELECT status, payer_differs FROM orders WHERE out_trade_no = $1', [
    outTradeNo,
  ])
  expect(order).toEqual({ status: 'paid', payer_differs: true })
})

test('a payment of an order we do not know is answered 404 and recorded', async () => {
  const outTradeNo = await paidInSilence()
  const stranger = 'M00000000000000000000000000'
  const answer = await platform.deliver(platform.notification(outTradeNo, { outTradeNo: stranger }))
  expect(answer.status).toBe(404)
  expect(await outcomesOf(stranger)).toEqual([{ outcome: 'order_unknown', deliveries: 1 }])
})

test('a second transaction for a paid order is never merged', async () => {
  const outTradeNo = await paidInSilence()
  await platform.deliver(platform.notification(outTradeNo))
  const second = await platform.deliver(
    platform.notification(outTradeNo, { transactionId: '4200009999999999999999999999' }),
  )
  expect(second.status).toBe(409)
  expect((await alertsOf(outTradeNo)).map(({ kind }) => kind)).toEqual(['second_transaction'])
  expect(await grantsOf(outTradeNo)).toHaveLength(1)
})

test.each([
  ['one flipped bit', { corruptByte: true }, 401],
  ['the wrong key', { wrongKey: true }, 401],
  ['an unknown serial', { serial: 'PUB_KEY_ID_0000000000000000000000000000000000' }, 401],
  ['a timestamp ten minutes old', { clockSkewSeconds: -600 }, 401],
  ['a timestamp ten minutes ahead', { clockSkewSeconds: 600 }, 401],
  ['a signature probe', { probe: true }, 401],
  ['another algorithm', { algorithm: 'AEAD_SM4_GCM' }, 400],
  ['another API v3 key', { apiV3Key: '0'.repeat(32) }, 400],
  ['a content that is no transaction', { plaintext: '{"hello":"world"}' }, 400],
  ['a content that is no JSON', { plaintext: 'not json' }, 400],
])('a delivery with %s is refused and touches no order', async (_what, changes, status) => {
  const outTradeNo = await paidInSilence()
  const answer = await platform.deliver(platform.notification(outTradeNo, changes))
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.answer)).toEqual({ code: 'FAIL', message: expect.any(String) })
  expect(await outcomesOf(outTradeNo)).toEqual([])
  expect((await phone.order(outTradeNo)).status).toBe('prepay')
})

test('every answer of the endpoint but 204 has the platform shape', async () => {
  const url = `${world.url}/api/v1/payment/notify`
  const json = { 'content-type': 'application/json' }
  const answers = [
    { request: { method: 'POST', headers: json, body: '{}' }, status: 401 },
    { request: { method: 'GET' }, status: 405 },
    { request: { method: 'PUT', headers: json, body: '{' }, status: 405 },
    { request: { method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<xml/>' }, status: 415 },
    { request: { method: 'POST', headers: json, body: 'x'.repeat(65_537) }, status: 413 },
  ]
  for (const { request, status } of answers) {
    const response = await fetch(url, request)
    expect({ status: response.status, body: await response.json() }).toEqual({
      status,
      body: { code: 'FAIL', message: expect.any(String) },
    })
  }
})

test('an event type we do not know is kept as ignored and answered 204', async () => {
  const outTradeNo = await paidInSilence()
  const id = `EV-unknown-${outTradeNo}`
  const notification = platform.notification(outTradeNo, { id, eventType: 'SOMETHING.NEW' })
  expect((await platform.deliver(notification)).status).toBe(204)
  expect(await world.query('SELECT outcome::text FROM notifications WHERE id = $1', [id])).toEqual([
    { outcome: 'ignored' },
  ])
})

test('a body that declares no length is cut off at 64 KiB with 413', async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let sent = 0; sent < 80; sent++) controller.enqueue(new Uint8Array(1024))
      controller.close()
    },
  })
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    duplex: 'half' as const,
  }
  const response = await fetch(`${world.url}/api/v1/payment/notify`, init)
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ code: 'FAIL' })
})
