import { afterEach, describe, expect, it } from 'vitest'
import { createPayments, systemRuntime } from '../src/index.ts'
import type { Notification } from '../src/testing/index.ts'
import { anOrder, openWorld, type World } from './world/world.ts'

const DAY_MS = 86_400_000
const BY_PUBLIC_KEY = /^PUB_KEY_ID_/

let world: World
afterEach(() => world.close())

async function placed() {
  const order = anOrder()
  await world.payments.prepay(order)
  return order.outTradeNo
}

async function paid() {
  const outTradeNo = await placed()
  await world.platform.pay(outTradeNo, { silent: true })
  return outTradeNo
}

const read = ({ headers, body }: Notification) =>
  world.payments.readNotification({ headers, body: Buffer.from(body) })

describe('a change of keys at one moment', () => {
  it.each([
    ['certificate', 'public_key'],
    ['public_key', 'certificate'],
  ] as const)('from %s to %s is held by a ring that has both', async (from, to) => {
    world = await openWorld({ keyMode: 'mixed' })
    world.platform.useKeyMode(from)
    const before = await placed()
    await world.platform.pay(before)
    const across = await paid()
    const onItsWay = world.platform.notification(across)
    const paidAfter = await placed()

    world.platform.useKeyMode(to)
    await world.platform.deliver(onItsWay)
    await world.platform.pay(paidAfter)
    const after = await placed()
    await world.platform.pay(after)

    const { publicKey, certificates } = world.platform.keys
    const serialOf = { public_key: publicKey.id, certificate: certificates[0]?.serial }
    expect(world.platform.deliveries.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect(
      world.merchant.read.map((one) => one.kind === 'payment' && [one.payment.outTradeNo, one.serial]),
    ).toEqual([
      [before, serialOf[from]],
      [across, serialOf[from]],
      [paidAfter, serialOf[to]],
      [after, serialOf[to]],
    ])
  })
})

describe('the seven days of the change from certificates to the public key', () => {
  let now: Date
  const clock = { now: () => now }
  const answeredBy: string[] = []
  const noting: typeof fetch = async (...asked) => {
    const response = await fetch(...asked)
    answeredBy.push(response.headers.get('wechatpay-serial') ?? '')
    return response
  }
  const runtime = { ...systemRuntime, ...clock, fetch: noting }

  async function openChange() {
    now = new Date()
    world = await openWorld({ keyMode: 'mixed', ...clock, runtime })
    world.platform.startRamp()
    answeredBy.length = 0
  }
  const passDays = (days: number) => {
    now = new Date(now.getTime() + days * DAY_MS)
  }

  /** Which of so many notifications the public key signed; one of them is really delivered, all are read. */
  async function byPublicKey(outTradeNo: string, count: number) {
    const [delivery] = await world.platform.resend(outTradeNo)
    expect(delivery?.status).toBe(204)
    const serials = Array.from(
      { length: count - 1 },
      () => read(world.platform.notification(outTradeNo)).serial,
    )
    return [world.merchant.read.at(-1)?.serial ?? '', ...serials].filter((one) => BY_PUBLIC_KEY.test(one))
  }

  it('have both keys sign, notifications in the share of the day, and the client takes all', async () => {
    await openChange()
    const outTradeNo = await paid()
    const { certificates, publicKey } = world.platform.keys
    const yesterdays = certificates.map(({ serial, certificate }) => ({ id: serial, pem: certificate }))
    const olderReplica = createPayments({ ...world.settings, platformKeys: yesterdays }, runtime)
    for (const [day, share, count] of [
      [1, 0.001, 1000],
      [2, 0.01, 100],
      [3, 0.05, 20],
      [4, 0.1, 20],
      [5, 0.2, 20],
      [6, 0.5, 20],
      [7, 1, 20],
    ] as const) {
      expect(world.platform.keysInUse()).toEqual({ mode: 'mixed', day, share })
      expect(await byPublicKey(outTradeNo, count)).toHaveLength(share * count)
      answeredBy.length = 0
      for (const payments of [world.payments, olderReplica]) {
        expect(await payments.queryOrder(outTradeNo)).toMatchObject({ state: 'paid' })
      }
      expect(answeredBy).toEqual([publicKey.id, certificates[0]?.serial])
      passDays(1)
    }
    passDays(30)
    expect(await byPublicKey(outTradeNo, 20)).toHaveLength(20)
  })

  it.each([
    [1, 1000],
    [2, 100],
    [3, 20],
    [4, 10],
    [5, 5],
    [6, 2],
    [7, 2],
  ])('can be taken back on day %i, with both kinds on their way', async (day, enoughForBoth) => {
    await openChange()
    const outTradeNo = await paid()
    passDays(day - 1)
    const onTheirWay = new Map<boolean, Notification>()
    for (let n = 0; n < enoughForBoth; n += 1) {
      const one = world.platform.notification(outTradeNo)
      onTheirWay.set(BY_PUBLIC_KEY.test(one.headers['Wechatpay-Serial'] ?? ''), one)
    }
    expect(onTheirWay.size).toBe(day === 7 ? 1 : 2)

    world.platform.useKeyMode('certificate')
    for (const one of onTheirWay.values()) expect((await world.platform.deliver(one)).status).toBe(204)
    answeredBy.length = 0
    expect(await world.payments.queryOrder(outTradeNo)).toMatchObject({ state: 'paid' })
    expect(answeredBy).toEqual([world.platform.keys.certificates[0]?.serial])
    expect(await byPublicKey(outTradeNo, 20)).toEqual([])

    world.platform.startRamp()
    expect(world.platform.keysInUse()).toMatchObject({ mode: 'mixed', day: 1 })
  })

  it('are switched over HTTP and run as fast as the schedule', async () => {
    await openChange()
    const keys = async (body?: object) => {
      const how = body && { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(`${world.platform.url}/sandbox/keys`, how)
      return response.ok ? await response.json() : response.status
    }
    expect(await keys({ mode: 'certificate' })).toMatchObject({ mode: 'certificate' })
    expect(await keys({ ramp: 'seven_days' })).toEqual({ mode: 'mixed', day: 1, share: 0.001 })
    passDays(1)
    expect(await keys({ scheduleSpeed: 24 })).toEqual({ mode: 'mixed', day: 2, share: 0.01 })
    passDays(1 / 24)
    expect(await keys()).toEqual({ mode: 'mixed', day: 3, share: 0.05 })
    expect(await keys({ ramp: 0.25 })).toEqual({ mode: 'mixed', day: null, share: 0.25 })
    expect(await keys({ ramp: 'tomorrow' })).toBe(400)
  })
})
