import { PlatformReply } from '@meridian/contracts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sweepOrder } from '../../src/payments/sweep-order.ts'
import { type Console, signedInConsole, signInAnew } from '../world/console.ts'
import { expectRefused } from '../world/expect-refused.ts'
import type { Phone } from '../world/phone.ts'
import { setSetting } from '../world/set-setting.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let console: Console
beforeAll(async () => {
  console = (await signedInConsole(world, { email: 'timeline@example.com', role: 'operator' })).console
})

afterEach(() => world.platform.faults.clear())

const act = (phone: Phone, outTradeNo: string, what: 'sync' | 'cancel') =>
  phone.call(`/subscription/orders/${outTradeNo}/${what}`, { method: 'POST' })
const sync = (phone: Phone, outTradeNo: string) => act(phone, outTradeNo, 'sync')
async function unpaid() {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  return { phone, purchase, outTradeNo: purchase.order.out_trade_no }
}

const eventsOf = async (outTradeNo: string) => (await console.order.detail.query({ outTradeNo })).events
/** What the timeline tells after the purchase: kind, channel and what came of it. */
const toldOf = async (outTradeNo: string) =>
  (await eventsOf(outTradeNo))
    .filter(({ kind }) => kind !== 'create' && kind !== 'prepare')
    .map(({ kind, channel, detail }) => {
      const { data } = PlatformReply.safeParse(detail)
      return [kind, channel, ...(data ? [data.code ?? data.platform_state ?? data.answer] : [])].join(' ')
    })

const stateThere = (outTradeNo: string, state: string) =>
  Reflect.set(world.platform.orders.get(outTradeNo) ?? {}, 'state', state)

const payableFor = (minutes: number) => setSetting(world, 'order_ttl_minutes', minutes)

describe('a question that moved nothing', () => {
  test('leaves one line that names who asked, what came of it and the request id of the platform', async () => {
    const { phone, outTradeNo } = await unpaid()
    const answer = await sync(phone, outTradeNo)
    expect(answer.status).toBe(200)
    expect((await eventsOf(outTradeNo)).at(-1)).toMatchObject({
      kind: 'ask',
      fromStatus: 'prepay',
      toStatus: 'prepay',
      channel: 'sync',
      requestId: answer.headers.get('x-request-id'),
      operatorEmail: null,
      detail: { answer: 'not_paid', platform_request_id: expect.stringMatching(/./) },
    })
  })

  test('leaves one line however often it is asked in a row, and another after another answer', async () => {
    const { phone, outTradeNo } = await unpaid()
    for (let times = 0; times < 10; times++) expect((await sync(phone, outTradeNo)).status).toBe(200)
    expect(await toldOf(outTradeNo)).toEqual(['ask sync not_paid'])
    stateThere(outTradeNo, 'USERPAYING')
    await sync(phone, outTradeNo)
    await sync(phone, outTradeNo)
    stateThere(outTradeNo, 'NOTPAY')
    await sync(phone, outTradeNo)
    expect(await toldOf(outTradeNo)).toEqual([
      'ask sync not_paid',
      'ask sync USERPAYING',
      'ask sync not_paid',
    ])
  })

  test('is told again after half a minute, and the older the order the more seldom', async () => {
    await payableFor(2 * 24 * 60)
    const { phone, outTradeNo } = await unpaid()
    await payableFor(30)
    await sync(phone, outTradeNo)
    await world.passTime({ seconds: 31 })
    await sync(phone, outTradeNo)
    expect(await toldOf(outTradeNo)).toHaveLength(2)
    await world.passTime({ days: 1 })
    console = (await signInAnew(world, 'timeline@example.com')).console
    await sync(phone, outTradeNo)
    expect(await toldOf(outTradeNo)).toHaveLength(3)
    await world.passTime({ seconds: 600 })
    await sync(phone, outTradeNo)
    expect(await toldOf(outTradeNo)).toHaveLength(3)
    await world.passTime({ seconds: 300 })
    await sync(phone, outTradeNo)
    expect(await toldOf(outTradeNo)).toHaveLength(4)
  })

  test('is told of the sweep and of a closed order as of the phone', async () => {
    const { phone, outTradeNo } = await unpaid()
    await sync(phone, outTradeNo)
    await sweepOrder(world.services, { outTradeNo, attempt: 0 })
    await act(phone, outTradeNo, 'cancel')
    await sync(phone, outTradeNo)
    await sync(phone, outTradeNo)
    expect(await toldOf(outTradeNo)).toEqual([
      'ask sync not_paid',
      'ask sweep not_paid',
      'close sync',
      'ask sync closed',
    ])
  })

  test('always leaves a line where an operator asked, with their name', async () => {
    const { outTradeNo } = await unpaid()
    for (let times = 0; times < 3; times++) await console.order.sync.mutate({ outTradeNo })
    expect(await toldOf(outTradeNo)).toEqual(Array(3).fill('ask admin_sync not_paid'))
    expect((await eventsOf(outTradeNo)).at(-1)?.operatorEmail).toBe('timeline@example.com')
  })

  test.each([
    ['is at fault', { kind: 'error_before', status: 500 }, 'payment_platform_error'],
    ['does not sign its answer', { kind: 'unsigned' }, 'payment_platform_error'],
    ['does not answer in time', { kind: 'delay', ms: 20_000 }, 'payment_platform_timeout'],
  ] as const)('while the platform %s is told as failed', async (_what, rule, code) => {
    const { phone, outTradeNo } = await unpaid()
    world.platform.faults.add({ at: 'query', ...rule })
    expectRefused(await sync(phone, outTradeNo), code === 'payment_platform_timeout' ? 504 : 502, code)
    expect(await toldOf(outTradeNo)).toEqual([`ask sync ${code}`])
    world.platform.faults.clear()
    await sync(phone, outTradeNo)
    expect(await toldOf(outTradeNo)).toEqual([`ask sync ${code}`, 'ask sync not_paid'])
  })

  test('changes no answer where its line cannot be written', async () => {
    const { phone, purchase, outTradeNo } = await unpaid()
    await world.query(`ALTER TABLE order_events ADD CONSTRAINT no_questions CHECK (kind <> 'ask') NOT VALID`)
    try {
      expect((await phone.syncs(outTradeNo)).order).toEqual(purchase.order)
      world.platform.faults.add({ at: 'query', kind: 'error_before', status: 500 })
      expectRefused(await sync(phone, outTradeNo), 502, 'payment_platform_error')
    } finally {
      await world.query('ALTER TABLE order_events DROP CONSTRAINT no_questions')
    }
    expect(await toldOf(outTradeNo)).toEqual([])
  })
})

test('a question that finds the payment leaves the payment alone on the timeline', async () => {
  const { phone, purchase, outTradeNo } = await unpaid()
  await phone.pays(purchase, { silent: true })
  await sync(phone, outTradeNo)
  await sync(phone, outTradeNo)
  expect(await toldOf(outTradeNo)).toEqual(['pay sync'])
})

test('a closing that the platform does not answer is told, and the one that succeeds stands for its question', async () => {
  const { phone, outTradeNo } = await unpaid()
  world.platform.faults.add({ kind: 'error_before', at: 'close', status: 500 })
  expectRefused(await act(phone, outTradeNo, 'cancel'), 502, 'payment_platform_error')
  world.platform.faults.clear()
  expect((await act(phone, outTradeNo, 'cancel')).status).toBe(200)
  expect(await toldOf(outTradeNo)).toEqual(['close_failed sync payment_platform_error', 'close sync'])
})

test('a prepay that the platform refuses is told with its code, and a repeat with the key carries on', async () => {
  const phone = await world.phone()
  world.platform.faults.add({ kind: 'error_before', at: 'prepay', status: 403 })
  const answers = [
    await phone.purchaseAnswer('monthly', 'told'),
    await phone.purchaseAnswer('monthly', 'told'),
  ]
  for (const answer of answers) expectRefused(answer, 502, 'payment_platform_error')
  const { out_trade_no: outTradeNo } = z.object({ out_trade_no: z.string() }).parse(answers[0]?.body)
  expect((await eventsOf(outTradeNo)).slice(1)).toMatchObject([
    {
      kind: 'prepay_failed',
      fromStatus: 'created',
      toStatus: 'created',
      channel: 'rest',
      requestId: expect.stringMatching(/./),
      detail: {
        answer: 'failed',
        code: 'payment_platform_error',
        platform_code: expect.stringMatching(/^[A-Z_]+$/),
        platform_request_id: expect.stringMatching(/./),
      },
    },
  ])
  world.platform.faults.clear()
  expect((await phone.purchaseAnswer('monthly', 'told')).status).toBe(200)
  expect((await eventsOf(outTradeNo)).map(({ kind }) => kind)).toEqual(['create', 'prepay_failed', 'prepare'])
})
