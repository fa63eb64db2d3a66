import { afterEach, describe, expect, it } from 'vitest'
import { createPayments, systemRuntime } from '../src/index.ts'
import { anOrder, openWorld, type World } from './world/world.ts'

let world: World
afterEach(() => world.close())

/** A world whose certificates are downloaded, and the clock that it follows. */
async function openWithClock() {
  const clock = { now: new Date() }
  const now = () => clock.now
  world = await openWorld({
    keyMode: 'certificate',
    now,
    runtime: { now },
    settings: { platformKeys: [], downloadKeys: true },
  })
  return clock
}

describe('keys that are downloaded', () => {
  it('come by themselves before the first answer is judged, verified by what they bring', async () => {
    world = await openWorld({ keyMode: 'certificate', settings: { platformKeys: [], downloadKeys: true } })
    await world.payments.prepay(anOrder())
    expect(world.payments.keyReport().keys).toMatchObject([{ kind: 'certificate', source: 'download' }])
  })

  it('are not believed when the answer is signed by somebody else', async () => {
    world = await openWorld({ keyMode: 'certificate', settings: { platformKeys: [], downloadKeys: true } })
    world.platform.faults.add({ kind: 'wrong_key', at: 'certificates' })
    await expect(world.payments.refreshKeys()).rejects.toMatchObject({ reason: 'unverified_answer' })
    expect(world.payments.keyReport().keys).toEqual([])
  })

  it('are fetched once for many who ask', async () => {
    world = await openWorld({ keyMode: 'certificate', settings: { downloadKeys: true } })
    await Promise.all([
      world.payments.refreshKeys(),
      world.payments.refreshKeys(),
      world.payments.refreshKeys(),
    ])
    expect(world.platform.requests.filter(({ path }) => path === '/v3/certificates')).toHaveLength(1)
  })

  it('follow a rotation: the old one stays, answers heal themselves, notifications wait for the refresh', async () => {
    world = await openWorld({ keyMode: 'certificate', settings: { downloadKeys: true } })
    const order = anOrder()
    await world.payments.prepay(order)
    world.platform.rotateCertificate()

    const [delivery] = await world.platform.pay(order.outTradeNo, { once: true })
    expect(delivery?.status).toBe(401)
    expect(world.merchant.refused.at(-1)).toMatchObject({ reason: 'unknown_serial', advice: 'retry' })
    expect(world.platform.requests.some(({ path }) => path === '/v3/certificates')).toBe(false)

    expect(await world.payments.queryOrder(order.outTradeNo)).toMatchObject({ state: 'paid' })
    expect(world.payments.keyReport().keys).toHaveLength(2)
    const [repeat] = await world.platform.resend(order.outTradeNo)
    expect(repeat?.status).toBe(204)
  })

  it('are not asked for again within a minute by answers with unknown serials', async () => {
    world = await openWorld({ keyMode: 'certificate', settings: { downloadKeys: true } })
    world.platform.faults.add({ kind: 'unknown_serial', at: 'query' })
    const { outTradeNo } = anOrder()
    await world.payments.prepay({ ...anOrder(), outTradeNo })
    for (let n = 0; n < 3; n += 1) {
      await expect(world.payments.queryOrder(outTradeNo)).rejects.toMatchObject({
        reason: 'unverified_answer',
      })
    }
    expect(world.platform.requests.filter(({ path }) => path === '/v3/certificates')).toHaveLength(1)
  })

  it('can be taken over from another replica', async () => {
    world = await openWorld({ keyMode: 'certificate', settings: { downloadKeys: true } })
    const other = createPayments({ ...world.settings, platformKeys: [] }, systemRuntime)
    const { keys } = await world.payments.refreshKeys()
    other.adoptKeys(keys)
    expect(await other.queryOrder('M01NEVERPLACED')).toMatchObject({ state: 'no_such_order' })
    expect(other.keyReport().keys).toHaveLength(1)
  })

  it('are dropped when they end, and only then', async () => {
    const clock = await openWithClock()
    await world.payments.refreshKeys()
    const [old] = world.payments.keyReport().keys
    world.platform.rotateCertificate()
    await world.payments.refreshKeys()
    expect(world.payments.keyReport().keys).toHaveLength(2)
    clock.now = new Date((old?.expiresAt?.getTime() ?? 0) + 1_000)
    world.platform.rotateCertificate()
    await world.payments.refreshKeys().catch(() => undefined)
    expect(world.payments.keyReport().keys.some(({ id }) => id === old?.id)).toBe(false)
  })

  it('end at their end without another download, and are asked for anew', async () => {
    const clock = await openWithClock()
    const order = anOrder()
    await world.payments.prepay(order)
    const [old] = world.payments.keyReport().keys
    clock.now = new Date((old?.expiresAt?.getTime() ?? 0) + 1_000)
    const [refused] = await world.platform.pay(order.outTradeNo, { once: true, late: true })
    expect(refused?.status).toBe(401)
    expect(world.payments.keyReport().keys).toEqual([])
    const asked = world.payments.queryOrder(order.outTradeNo)
    await expect(asked).rejects.toMatchObject({ reason: 'unverified_answer' })
    world.platform.rotateCertificate()
    clock.now = new Date(clock.now.getTime() + 61_000)
    expect(await world.payments.queryOrder(order.outTradeNo)).toMatchObject({ state: 'paid' })
    expect(world.payments.keyReport().keys.map(({ id }) => id)).not.toContain(old?.id)
  })

  it('stay when the platform cannot be reached', async () => {
    world = await openWorld({ keyMode: 'certificate', settings: { downloadKeys: true } })
    await world.payments.refreshKeys()
    world.platform.faults.add({ kind: 'drop', at: 'certificates' })
    await expect(world.payments.refreshKeys()).rejects.toMatchObject({ reason: 'unreachable' })
    expect(world.payments.keyReport().keys).toHaveLength(1)
  })
})
