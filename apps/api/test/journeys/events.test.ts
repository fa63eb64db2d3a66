import { eventTypes } from '@meridian/contracts'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { switchOffFailing } from '../../src/events/record-outcome.ts'
import { type Console, hire, signInAnew } from '../world/console.ts'
import { type Receiver, startReceiver } from '../world/receiver.ts'
import { connectReceiver, sendDueEvents } from '../world/send-events.ts'
import type { Span } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const email = 'owner@example.com'
let owner: Console
let receiver: Receiver

beforeAll(() => hire(world, { email, role: 'owner' }))

beforeEach(async () => {
  await signIn()
  receiver = await startReceiver()
})
afterEach(async () => {
  await world.query('UPDATE webhook_endpoints SET deleted_at = now()')
  await receiver[Symbol.asyncDispose]()
})

/** Sessions end within days. */
const signIn = async () => {
  owner = (await signInAnew(world, email)).console
}
const passTime = async (span: Span) => {
  await world.passTime(span)
  await signIn()
}
const send = () => sendDueEvents(world)
const told = () => receiver.received.map(({ event }) => event.type)
const stateOf = async (id: string) => (await owner.webhooks.get.query({ id })).state
const deliveriesOf = async (id: string) => (await owner.webhooks.deliveries.query({ id })).items
const firstDelivery = async (id: string) => {
  const last = (await deliveriesOf(id)).at(-1)
  if (!last) throw new Error('nothing was delivered')
  return owner.webhooks.delivery.query({ id: last.id })
}

test('a payment is told as a paid order and as days, signed, with the bytes that are kept', async () => {
  const id = await connectReceiver(owner, receiver)
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  await send()
  expect(told().sort()).toEqual(['order.paid', 'subscription.changed'])
  expect(receiver.received.every(({ verified }) => verified)).toBe(true)
  const paid = receiver.received.find(({ event }) => event.type === 'order.paid')
  expect(paid?.event.data).toMatchObject({
    seq: 1,
    order: { out_trade_no: outTradeNo, status: 'paid', amount_fen: 2900, refunded_fen: 0 },
  })
  expect(paid?.id).toMatch(/^evt_[0-9A-Z]{26}$/)
  expect(JSON.stringify(receiver.received)).not.toContain(phone.openid)
  const { state, attempts, lastStatus, body, headers } = await firstDelivery(id)
  expect([state, attempts, lastStatus]).toEqual(['delivered', 1, 204])
  expect(receiver.received.map(({ bytes }) => bytes)).toContain(body)
  expect(headers).toMatchObject({ 'webhook-signature': expect.stringMatching(/^v1,/) })
})

test('what was rolled back is told to nobody, and numbers leave no gap', async () => {
  await connectReceiver(owner, receiver)
  const phone = await world.phone()
  const client = await world.services.database.pool.connect()
  await client.query('BEGIN')
  await client.query(
    `INSERT INTO alerts (kind, subject, detail) VALUES ('order_parked', 'M00000000000000000000000000', '{}')`,
  )
  await client.query('ROLLBACK')
  client.release()
  const bind = (serial: string) =>
    phone.call('/devices/bind', { method: 'POST', body: { serial_number: serial } })
  await bind('EV-0001')
  await phone.call('/devices/unbind', { method: 'POST', body: {} })
  await bind('EV-0001')
  await send()
  expect(receiver.received.map(({ event }) => [event.type, event.data.seq])).toEqual([
    ['device.bound', 1],
    ['device.unbound', 2],
    ['device.bound', 3],
  ])
})

test('a later event of a subject waits until the earlier is delivered; others do not wait for it', async () => {
  const id = await connectReceiver(owner, receiver, ['order.paid', 'device.bound', 'device.unbound'])
  receiver.behave(({ type }) => (type === 'device.bound' ? 500 : 'takes'))
  const phone = await world.phone()
  await phone.call('/devices/bind', { method: 'POST', body: { serial_number: 'EV-0002' } })
  await phone.call('/devices/unbind', { method: 'POST', body: {} })
  await phone.buysAndPays()
  await send()
  expect(told().sort()).toEqual(['device.bound', 'order.paid'])
  receiver.behave('takes')
  await passTime({ seconds: 6 })
  await send()
  expect(told().slice(2)).toEqual(['device.bound', 'device.unbound'])
  const tries = receiver.received.filter(({ event }) => event.type === 'device.bound')
  expect(new Set(tries.map(({ id: webhookId, bytes }) => webhookId + bytes)).size).toBe(1)
  expect(tries.every(({ verified }) => verified)).toBe(true)
  expect(await stateOf(id)).toBe('active')
})

test('after ten tries over three days an event is given up, and what waited behind it is sent', async () => {
  const id = await connectReceiver(owner, receiver, ['device.bound', 'device.unbound'])
  receiver.behave(({ type }) => (type === 'device.bound' ? 503 : 'takes'))
  const phone = await world.phone()
  await phone.call('/devices/bind', { method: 'POST', body: { serial_number: 'EV-0003' } })
  await phone.call('/devices/unbind', { method: 'POST', body: {} })
  await send()
  for (let tries = 2; tries <= 10; tries++) {
    expect(told()).toEqual(Array(tries - 1).fill('device.bound'))
    const next = (await firstDelivery(id)).nextAttemptAt
    if (!next) throw new Error('the delivery waits for nothing')
    const waitMs = next.getTime() - world.services.clock.now().getTime()
    await passTime({ seconds: Math.ceil(waitMs / 1000) + 1 })
    await send()
  }
  expect(told().slice(9)).toEqual(['device.bound', 'device.unbound'])
  expect(await firstDelivery(id)).toMatchObject({ state: 'given_up', attempts: 10, lastStatus: 503 })
})

test.each([
  ['a redirect', 'redirects' as const, { lastStatus: 302 }],
  [
    'an answer that does not come',
    'hangs' as const,
    { lastStatus: null, lastError: 'no answer within 15 seconds' },
  ],
  [
    'an answer that switches protocols',
    'switches' as const,
    { lastStatus: null, lastError: 'the answer switches protocols' },
  ],
  ['a failure', 400, { lastStatus: 400 }],
])('%s fails, and its answer is kept up to 4 KiB', async (_what, manner, kept) => {
  const id = await connectReceiver(owner, receiver)
  receiver.behave(manner)
  await owner.webhooks.test.mutate({ id })
  await send()
  expect(receiver.received).toHaveLength(1)
  const delivery = await firstDelivery(id)
  expect(delivery).toMatchObject({ state: 'waiting', attempts: 1, type: 'webhook.test', ...kept })
  expect(Buffer.byteLength(delivery.lastAnswer ?? '')).toBeLessThanOrEqual(4_096)
  if (manner === 400) expect(Buffer.byteLength(delivery.lastAnswer ?? '')).toBe(4_096)
  expect(await stateOf(id)).toBe('failing')
})

test('one that switches protocols keeps nobody else waiting', async () => {
  await connectReceiver(owner, receiver)
  await using other = await startReceiver()
  const id = await connectReceiver(owner, other)
  receiver.behave('switches')
  await (await world.phone()).buysAndPays()
  await send()
  expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
})

test('an answer 200 whose body does not end in time counts, and the event is sent once', async () => {
  const id = await connectReceiver(owner, receiver)
  receiver.behave('trickles')
  await owner.webhooks.test.mutate({ id })
  await send()
  const taken = { state: 'delivered', attempts: 1, lastStatus: 200, lastError: null, lastAnswer: 'so far' }
  expect(await firstDelivery(id)).toMatchObject(taken)
  await passTime({ minutes: 6 })
  await send()
  expect(receiver.received).toHaveLength(1)
})

test('410 switches an endpoint off, with an alert that is told to no endpoint', async () => {
  const id = await connectReceiver(owner, receiver)
  await using other = await startReceiver()
  await connectReceiver(owner, other)
  receiver.behave(410)
  const phone = await world.phone()
  await phone.buysAndPays()
  await send()
  await send()
  expect(await stateOf(id)).toBe('gone')
  expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(['given_up', 'given_up'])
  const { items } = await owner.alert.list.query({ kind: 'endpoint_disabled' })
  expect(items.map(({ subject }) => subject)).toContain(id)
  expect(other.received.map(({ event }) => event.type).sort()).toEqual(['order.paid', 'subscription.changed'])
  await phone.buysAndPays()
  await send()
  expect(await deliveriesOf(id)).toHaveLength(2)
  await owner.webhooks.switch.mutate({ id, enabled: true })
  expect(await stateOf(id)).toBe('active')
  expect((await owner.alert.list.query({ kind: 'endpoint_disabled' })).items).toEqual([])
})

test('an endpoint with failures and no success for five days is switched off, with an alert', async () => {
  const id = await connectReceiver(owner, receiver)
  receiver.behave(500)
  await owner.webhooks.test.mutate({ id })
  await send()
  await passTime({ days: 4, hours: 23 })
  await switchOffFailing(world.services.doors.jobs.pool)
  expect(await stateOf(id)).toBe('failing')
  await passTime({ hours: 2 })
  await switchOffFailing(world.services.doors.jobs.pool)
  expect(await stateOf(id)).toBe('failed')
  const { items } = await owner.alert.list.query({ kind: 'endpoint_disabled' })
  expect(items.map(({ subject }) => subject)).toContain(id)
})

test('an endpoint is told of the types it names, and a new one of nothing that was before', async () => {
  const phone = await world.phone()
  await phone.buysAndPays()
  await send()
  await using second = await startReceiver()
  await connectReceiver(owner, receiver, ['subscription.changed'])
  await phone.buysAndPays()
  await send()
  await connectReceiver(owner, second, [...eventTypes])
  await phone.buysAndPays()
  await send()
  expect(told()).toEqual(['subscription.changed', 'subscription.changed'])
  expect(receiver.received.map(({ event }) => event.data.seq)).toEqual([2, 3])
  expect(second.received.map(({ event }) => event.type).sort()).toEqual([
    'order.paid',
    'subscription.changed',
  ])
})

test('a refund is told as such, and as what became of the order and of the days', async () => {
  await connectReceiver(owner, receiver)
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  const wish = { outTradeNo, amountFen: 2900, reason: 'user_request', note: '', reservedFen: 0 } as const
  const { outRefundNo } = await owner.refund.request.mutate(wish)
  await owner.refund.retry.mutate({ outRefundNo })
  await world.platform.settleRefund(outRefundNo)
  await send()
  const last = (type: string) =>
    receiver.received.filter(({ event }) => event.type === type).at(-1)?.event.data
  expect(last('order.refunded')).toMatchObject({ seq: 2, order: { status: 'refunded', refunded_fen: 2900 } })
  expect(last('refund.succeeded')).toMatchObject({
    seq: 1,
    out_refund_no: outRefundNo,
    amount_fen: 2900,
    days_taken: 30,
  })
  expect(last('subscription.changed')).toMatchObject({
    seq: 2,
    days: -30,
    cause: 'refund',
    out_trade_no: outTradeNo,
  })
  expect(told().filter((type) => type === 'order.refunded')).toHaveLength(1)
})

test('after a rotation both secrets sign for 24 hours, then the new one alone', async () => {
  const id = await connectReceiver(owner, receiver)
  const [old = ''] = receiver.secrets
  const { secret } = await owner.webhooks.rotate.mutate({ id })
  const verifiedBy = async (known: string) => {
    receiver.secrets.splice(0, 2, known)
    await owner.webhooks.test.mutate({ id })
    await send()
    return receiver.received.at(-1)?.verified
  }
  expect(await verifiedBy(old)).toBe(true)
  expect(await verifiedBy(secret)).toBe(true)
  await passTime({ hours: 25 })
  expect(await verifiedBy(old)).toBe(false)
  expect(await verifiedBy(secret)).toBe(true)
})

test('what was given up can be sent again, with the same bytes and id', async () => {
  const id = await connectReceiver(owner, receiver)
  await owner.webhooks.test.mutate({ id })
  await send()
  const { id: delivery } = await firstDelivery(id)
  await owner.webhooks.sendAgain.mutate({ id: delivery })
  await send()
  const [first, second] = receiver.received
  expect([second?.id, second?.bytes]).toEqual([first?.id, first?.bytes])
  await owner.webhooks.switch.mutate({ id, enabled: false })
  await expect(owner.webhooks.sendAgain.mutate({ id: delivery })).rejects.toThrow()
})
