import type { NotificationChanges } from '@meridian/payments/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signedInConsole } from '../world/console.ts'
import { payInSilence } from '../world/pay-in-silence.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

const paidInSilence = () => payInSilence(world)

/** The payment as the platform would describe it, with some of its members otherwise. */
function payloadOf(outTradeNo: string, payerOpenid: string, changes: object): string {
  const order = world.platform.orders.get(outTradeNo)
  const [payment] = order?.payments ?? []
  if (!order || !payment) throw new Error('the platform knows the payment')
  const payload = JSON.stringify({
    appid: world.platform.keys.appId,
    mchid: world.platform.keys.mchId,
    out_trade_no: outTradeNo,
    transaction_id: payment.transactionId,
    trade_type: 'JSAPI',
    trade_state: 'SUCCESS',
    bank_type: 'OTHERS',
    success_time: '2026-01-01T19:59:58+08:00',
    payer: { openid: payerOpenid },
    amount: { total: order.amountFen, payer_total: order.amountFen, currency: 'CNY', payer_currency: 'CNY' },
    ...changes,
  })
  return withNesting(payload)
}

type Kept = { id: string; outcome: string; body: Buffer; deliveries: number }
const keptOf = (id: string) =>
  world.query<Kept>('SELECT id, outcome::text, body, deliveries FROM notifications WHERE id = $1', [id])
const lastUnreadable = async () => {
  const [row] = await world.query<Kept>(
    `SELECT id, outcome::text, body, deliveries FROM notifications WHERE outcome::text = 'unreadable' ORDER BY first_at DESC LIMIT 1`,
  )
  return row
}
const timesOf = async (reason: string) => {
  const [alert] = await world.query<{ times: number }>(
    `SELECT times FROM alerts WHERE kind = 'notification_unreadable' AND subject = $1`,
    [reason],
  )
  return alert?.times ?? 0
}

/** JSON in which every "nested" stands for arrays so deep that `JSON.stringify` itself would give up. */
const withNesting = (text: string) => text.replaceAll('"nested"', `${'['.repeat(9000)}${']'.repeat(9000)}`)

test.each<[string, NotificationChanges]>([
  ['an id with NUL', { id: 'EV\0-1' }],
  ['an id with half a surrogate pair', { id: 'EV-\ud800' }],
  ['an id of 3 KB', { id: 'E'.repeat(3000) }],
  ['an event type with NUL', { eventType: 'SOMETHING\0NEW' }],
])(
  'a signed notification with %s is kept as it came, answered 400 and told to somebody',
  async (_what, changes) => {
    const { outTradeNo } = await paidInSilence()
    const before = await timesOf('malformed_envelope')
    const notification = world.platform.notification(outTradeNo, changes)
    expect((await world.platform.deliver(notification)).status).toBe(400)
    expect((await lastUnreadable())?.body.toString('utf8')).toBe(notification.body)
    expect(await timesOf('malformed_envelope')).toBe(before + 1)
  },
)

test.each([
  ['NUL', { attach: 'a\0b', ['k\0y']: 1 }],
  ['half a surrogate pair', { attach: '\ud83d' }],
  ['deep nesting', { scene_info: 'nested' }],
])('a payment with %s where nothing is read is paid like any other', async (_what, junk) => {
  const { phone, outTradeNo } = await paidInSilence()
  const plaintext = payloadOf(outTradeNo, phone.openid, junk)
  const notification = world.platform.notification(outTradeNo, { plaintext })
  expect((await world.platform.deliver(notification)).status).toBe(204)
  expect((await phone.order(outTradeNo)).status).toBe('paid')
  expect(await keptOf(notification.notificationId)).toMatchObject([{ outcome: 'applied' }])
})

test.each([
  ['NUL in its transaction id', { transaction_id: '42000\0' }],
  ['a transaction id of 3 KB', { transaction_id: '4'.repeat(3000) }],
  ['half a surrogate pair in its order number', { out_trade_no: 'M\udfff' }],
])('a payment with %s is kept, answered 400 and pays nothing', async (_what, junk) => {
  const { phone, outTradeNo } = await paidInSilence()
  const plaintext = payloadOf(outTradeNo, phone.openid, junk)
  const notification = world.platform.notification(outTradeNo, { plaintext })
  for (const _ of [1, 2]) expect((await world.platform.deliver(notification)).status).toBe(400)
  expect(await keptOf(notification.notificationId)).toMatchObject([{ outcome: 'unreadable', deliveries: 2 }])
  expect((await phone.order(outTradeNo)).status).toBe('prepay')
})

test('a mismatch stays a mismatch, whatever else is in it', async () => {
  const { phone, outTradeNo } = await paidInSilence()
  const changes = { amount: { total: 1, currency: 'CNY' }, attach: '\0', scene_info: 'nested' }
  const plaintext = payloadOf(outTradeNo, phone.openid, changes)
  expect((await world.platform.deliver(world.platform.notification(outTradeNo, { plaintext }))).status).toBe(
    409,
  )
})

test('an event we do not know is kept and answered 204, whatever is in it', async () => {
  const { outTradeNo } = await paidInSilence()
  const plaintext = withNesting(JSON.stringify({ deep: 'nested', text: '\0\ud800' }))
  const changes = { id: 'EV-new-and-odd', eventType: 'SOMETHING.NEW', plaintext }
  expect((await world.platform.deliver(world.platform.notification(outTradeNo, changes))).status).toBe(204)
  expect(await keptOf('EV-new-and-odd')).toMatchObject([{ outcome: 'ignored' }])
})

test('a refund whose sum no column holds is kept, answered 400 and told to somebody', async () => {
  const { outTradeNo } = await paidInSilence()
  const plaintext = JSON.stringify({
    mchid: world.platform.keys.mchId,
    out_trade_no: outTradeNo,
    transaction_id: '4200000000',
    out_refund_no: 'somebody-elses',
    refund_id: '5030000000',
    refund_status: 'SUCCESS',
    success_time: '2026-01-01T19:59:58+08:00',
    amount: { total: 9_000_000_000_000, refund: 9_000_000_000_000 },
  })
  const changes = { id: 'EV-too-much', eventType: 'REFUND.SUCCESS', plaintext }
  expect((await world.platform.deliver(world.platform.notification(outTradeNo, changes))).status).toBe(400)
  expect(await keptOf('EV-too-much')).toMatchObject([{ outcome: 'unreadable' }])
  expect(await timesOf('refused_content')).toBe(1)
})

test('what could not be decrypted is processed once the key fits, under the same id', async () => {
  const { phone, outTradeNo } = await paidInSilence()
  const id = `EV-other-key-${outTradeNo}`
  const sealed = world.platform.notification(outTradeNo, { id, apiV3Key: '0'.repeat(32) })
  expect((await world.platform.deliver(sealed)).status).toBe(400)
  expect(await keptOf(id)).toMatchObject([{ outcome: 'unreadable' }])
  expect((await world.platform.deliver(world.platform.notification(outTradeNo, { id }))).status).toBe(204)
  expect(await keptOf(id)).toMatchObject([{ outcome: 'applied', deliveries: 2 }])
  expect((await phone.subscription()).is_active).toBe(true)
})

test('the console lists them and shows their bytes', async () => {
  const { outTradeNo } = await paidInSilence()
  await world.platform.deliver(world.platform.notification(outTradeNo, { id: 'E'.repeat(65) }))
  const { console: desk } = await signedInConsole(world, { email: 'owner@example.com' })
  const { items } = await desk.notification.list.query({ outcome: 'unreadable' })
  expect(items[0]).toMatchObject({ outcome: 'unreadable' })
  const id = items[0]?.id ?? ''
  expect(await desk.notification.detail.query({ id })).toMatchObject({
    detail: { reason: 'malformed_envelope' },
  })
})

test('whatever the platform signs is answered without a 5xx', async () => {
  const { outTradeNo } = await paidInSilence()
  const text = fc.string({ unit: 'binary', maxLength: 80 })
  const anyThing = fc.letrec((tie) => ({
    value: fc.oneof(text, fc.double(), fc.dictionary(text, tie('value'), { maxKeys: 3 }), fc.constant(null)),
  })).value
  const eventType = fc.constantFrom('TRANSACTION.SUCCESS', 'REFUND.SUCCESS', 'SOMETHING.NEW')
  const odd = fc.asyncProperty(text, eventType, anyThing, async (id, type, content) => {
    const plaintext = JSON.stringify(content) ?? ''
    const changes = { id, eventType: type, plaintext }
    const { status } = await world.platform.deliver(world.platform.notification(outTradeNo, changes))
    expect([204, 400, 404, 409]).toContain(status)
  })
  await fc.assert(odd, { numRuns: 60 })
})
