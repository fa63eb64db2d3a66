import { askOne } from '@meridian/embedded-postgres/testing'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { newSystem, type System } from '../world/api-key.ts'
import { type Console, openConsole, problemOf, signedInConsole } from '../world/console.ts'
import { call, type Phone } from '../world/phone.ts'
import { openReplicaWorld } from '../world/replica-world.ts'
import { useOpened } from '../world/use-opened.ts'

const opened = useOpened(openReplicaWorld)
let phone: Phone
let owner: { token: string; console: Console }
let system: System

beforeAll(async () => {
  const { world } = opened
  phone = await world.phone()
  await phone.pays(await phone.buys('monthly'))
  owner = await signedInConsole(world, { email: 'owner@example.com', role: 'owner' })
  system = await newSystem(world, owner.console, { scopes: ['entitlements:read', 'orders:read'] })
  // /readyz answers 200 once the tables of the release were found (docs/operations.md): here, before the primary goes.
  expect((await readiness()).code).toBe(200)
  // The session was last seen over a minute ago, so that a call would write `last_seen_at` (operators/sign-in); it must be
  // let in without that write.
  await world.passTime({ minutes: 2 })
  await owner.console.operator.context.query()
  await world.passTime({ minutes: 2 })
  await untilKnown()
})

// Each test begins with a primary that answers, also after one that failed while it was cut off or frozen.
afterEach(async () => {
  opened.primaryGate.thaw()
  await opened.primaryGate.mend()
})

/** Waits until the replica has everything written so far and may stand in for the primary. */
async function untilKnown() {
  const { world, replicaUrl } = opened
  const written = String(await askOne(world.behindGate, 'SELECT pg_current_wal_insert_lsn()'))
  const hasArrived = () => askOne(replicaUrl, `SELECT pg_last_wal_replay_lsn() >= '${written}'`)
  await vi.waitUntil(async () => (await hasArrived()) && world.services.replica?.mayReplacePrimary(), {
    timeout: 60_000,
  })
}

const readiness = async () => {
  const { status, body } = await call(`${opened.world.url}/readyz`)
  return { code: status, body }
}

const timed = async <T>(work: () => Promise<T>) => {
  const asked = performance.now()
  const value = await work()
  return { value, ms: performance.now() - asked }
}

/** The document and its page. */
const aboutItself = /(openapi\.json|docs)$/

/** The paths of openapi.json that phones read by GET without a parameter; other systems' are read below. */
async function readPaths(): Promise<string[]> {
  const { body } = await call(`${phone.api}/openapi.json`)
  const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }).parse(body)
  const ofPhones = Object.entries(paths).filter(([path]) => !path.startsWith('/api/v1/integration/'))
  return ofPhones.flatMap(([path, methods]) =>
    'get' in methods && !path.includes('{') && !aboutItself.test(path) ? [path.replace('/api/v1', '')] : [],
  )
}

/** The one GET that writes: an account may be exported once an hour, so the time of its last export is kept. */
const writes = ['/me/export']

test('without its primary phones and console read on within two seconds, and the program stays in', async () => {
  const { world, primaryGate } = opened
  await primaryGate.cut()
  const subscription = await timed(() => phone.subscription())
  expect(subscription.value.remaining_days).toBeGreaterThan(0)
  expect(subscription.ms).toBeLessThan(2_000)
  const listed = await timed(() => owner.console.order.list.query({}))
  expect(listed.value.items).toHaveLength(1)
  expect(listed.ms).toBeLessThan(2_000)

  const refused = await timed(() => phone.purchaseAnswer('yearly'))
  expect(refused.value.status).toBe(503)
  expect(refused.ms).toBeLessThan(2_000)
  await expect
    .poll(readiness, { timeout: 60_000 })
    .toMatchObject({ code: 200, body: { status: 'degraded', database: 'read_only' } })
  // That took 5 s of silence: a session that was read from the primary counts no longer (doors/rest/signed-in), so that
  // sessions are read from the replica from here on.
  expect((await readiness()).code).toBe(200)

  const paths = await readPaths()
  expect(paths.length).toBeGreaterThan(6)
  for (const path of paths.filter((path) => !writes.includes(path)))
    expect([path, (await phone.call(path)).status]).toEqual([path, 200])
  for (const path of [`/entitlements?openid=${phone.openid}`, '/orders'])
    expect([path, (await system.get(path)).status]).toEqual([path, 200])
  const [item] = listed.value.items
  expect((await phone.order(item?.outTradeNo ?? '')).status).toBe('paid')
  const detail = await owner.console.order.detail.query({ outTradeNo: item?.outTradeNo ?? '' })
  expect(detail.status).toBe('paid')
  expect((await owner.console.operator.context.query()).operator.email).toBe('owner@example.com')
  const stranger = openConsole(world, { session: 'x'.repeat(43) })
  expect(await problemOf(stranger.order.list.query({}))).toBe('unauthenticated')
  const view = { page: 'orders', name: 'v', query: '', everybody: false } as const
  await expect(owner.console.view.save.mutate(view)).rejects.toThrow()

  await primaryGate.mend()
  await expect.poll(readiness, { timeout: 60_000 }).toMatchObject({ body: { status: 'ready' } })
  await phone.pays(await phone.buys('yearly'))
  expect((await phone.subscription()).remaining_days).toBe(395)
})

test('a primary that hangs keeps nobody who reads for over two seconds', async () => {
  const { primaryGate, world } = opened
  await untilKnown()
  const took: number[] = []
  primaryGate.freeze()
  const endsAt = performance.now() + 8_000
  for (let round = 0; performance.now() < endsAt; round++) {
    const reads: (() => Promise<unknown>)[] = [
      () => phone.subscription(),
      () => phone.call('/subscription/orders'),
    ]
    // 40 rounds of two calls stay below the 600 calls a minute of one operator (platform/limits/open-limits).
    if (round < 40)
      reads.push(
        () => owner.console.order.list.query({}),
        () => owner.console.operator.context.query(),
      )
    const asked = await Promise.all(reads.map(timed))
    took.push(...asked.map(({ ms }) => ms))
  }
  expect((await readiness()).body).toMatchObject({ status: 'degraded', database: 'read_only' })
  const refused = await timed(() => phone.purchaseAnswer('yearly'))
  expect([refused.value.status, refused.ms < 1_000]).toEqual([503, true])
  primaryGate.thaw()
  await expect.poll(readiness, { timeout: 60_000 }).toMatchObject({ body: { status: 'ready' } })
  await phone.buys('yearly')
  expect(Math.max(...took)).toBeLessThan(2_500)
  await expect.poll(() => world.services.replica?.replacesPrimary(), { timeout: 60_000 }).toBe(false)
})

test('a replica that is far behind does not take the place of the primary', async () => {
  const { world, replica, primaryGate } = opened
  await untilKnown()
  await replica.pause()
  try {
    const other = await world.phone()
    await expect.poll(() => world.services.replica?.mayReplacePrimary(), { timeout: 60_000 }).toBe(false)
    await primaryGate.cut()
    expect((await other.call('/me', { undeclared: true })).status).toBeLessThanOrEqual(503)
    await expect.poll(async () => (await other.call('/subscription')).status, { timeout: 60_000 }).toBe(503)
    await primaryGate.mend()
  } finally {
    await replica.replay()
  }
  await untilKnown()
  await expect.poll(readiness, { timeout: 60_000 }).toMatchObject({ body: { status: 'ready' } })
})

test('reads stay where they are once the replica has become the primary', async () => {
  const { replica, primaryGate } = opened
  await untilKnown()
  await primaryGate.cut()
  await replica.promote()
  const took = await timed(() => phone.subscription())
  expect(took.value.remaining_days).toBeGreaterThan(0)
  expect((await owner.console.order.list.query({})).items.length).toBeGreaterThan(0)
  await primaryGate.mend()
  await expect.poll(readiness, { timeout: 60_000 }).toMatchObject({ body: { status: 'ready' } })
})
