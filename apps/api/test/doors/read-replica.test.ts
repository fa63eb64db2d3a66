import { exportPermissions } from '@meridian/contracts'
import superjson from 'superjson'
import { beforeAll, expect, test, vi } from 'vitest'
import { wroteLately } from '../../src/operators/note-write.ts'
import { type Console, consoleToken, openConsole, signedInConsole } from '../world/console.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { logStatements } from '../world/read-statements.ts'
import { openReplicaWorld } from '../world/replica-world.ts'
import { secondInstance } from '../world/second-instance.ts'
import { neededBy } from '../world/take-file.ts'
import { useOpened } from '../world/use-opened.ts'

const opened = useOpened(openReplicaWorld)
let owner: { token: string; console: Console }
let primary: () => Promise<string[]>
let replica: () => Promise<string[]>
/** Whose ledger is taken out: a user of whom there is an empty one. */
let userId = ''

beforeAll(async () => {
  const { world, replicaUrl } = opened
  await plantOrders(world, { count: 2_500 })
  const ledgers = await world.query<{ user_id: string }>(
    'INSERT INTO subscriptions (user_id) SELECT id FROM users RETURNING user_id',
  )
  userId = ledgers[0]?.user_id ?? ''
  owner = await signedInConsole(world, { email: 'owner@example.com', role: 'owner' })
  primary = await logStatements(world.behindGate)
  replica = await logStatements(replicaUrl)
})

const range = { from: '2026-01-01', to: '2026-01-31' }
const reads: Record<string, (console: Console) => Promise<unknown>> = {
  'order.list': (console) => console.order.list.query({}),
  'order.totals': (console) => console.order.totals.query({}),
  'refund.list': (console) => console.refund.list.query({}),
  'subscription.list': (console) => console.subscription.list.query({}),
  'user.list': (console) => console.user.list.query({}),
  'device.list': (console) => console.device.list.query({}),
  'alert.list': (console) => console.alert.list.query({}),
  'notification.list': (console) => console.notification.list.query({}),
  'audit.list': (console) => console.audit.list.query({}),
  'search.find': (console) => console.search.find.query({ text: 'nobody' }),
  'dashboard.waiting': (console) => console.dashboard.waiting.query(),
  'dashboard.revenue': (console) => console.dashboard.revenue.query(range),
  'dashboard.orders': (console) => console.dashboard.orders.query(range),
  'dashboard.userFunnel': (console) => console.dashboard.userFunnel.query(range),
  'dashboard.subscriptions': (console) => console.dashboard.subscriptions.query(range),
  'dashboard.health': (console) => console.dashboard.health.query(range),
}

const take = async (name: string) =>
  fetch(`${opened.world.url}/console/exports/${name}?format=csv`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-console-token': await consoleToken(opened.world),
      authorization: `Bearer ${owner.token}`,
    },
    body: superjson.stringify(neededBy(name, userId)),
  })

/** What asks who is signed in, and keeps that a file was taken. */
const ofTheRequest =
  /operator_sessions|"public"\."operators"|audit_|set_config|SET application_name|statement: (BEGIN|COMMIT)\s*$/
const ofTheStory = (statements: string[]) => statements.filter((statement) => !ofTheRequest.test(statement))

test.each(Object.keys(reads))('%s asks the replica, and the primary only who is signed in', async (name) => {
  await Promise.all([primary(), replica()])
  await reads[name]?.(owner.console)
  const asked = await primary()
  expect(ofTheStory(asked)).toEqual([])
  expect(asked.filter((statement) => statement.includes('operator_sessions'))).toHaveLength(1)
  expect((await replica()).filter((statement) => /\bSELECT\b/.test(statement)).length).toBeGreaterThan(0)
})

test.each(Object.keys(exportPermissions))('the file of %s is read from the replica', async (name) => {
  await Promise.all([primary(), replica()])
  const answer = await take(name)
  expect([answer.status, (await answer.text()).length > 0]).toEqual([200, true])
  expect(ofTheStory(await primary())).toEqual([])
  expect((await replica()).filter((statement) => /\bSELECT\b/.test(statement)).length).toBeGreaterThan(0)
})

test('what somebody is about to act upon is read from the primary', async () => {
  // A replica may be some seconds behind.
  const newest = async () => (await owner.console.order.list.query({})).items[0]?.outTradeNo
  const outTradeNo = (await vi.waitUntil(newest, { timeout: 20_000 })) ?? ''
  await Promise.all([primary(), replica()])
  await owner.console.order.detail.query({ outTradeNo })
  expect(ofTheStory(await primary()).length).toBeGreaterThan(0)
  expect(await replica()).toEqual([])
})

test('a session counts as having written for ten seconds, and not a millisecond longer', () => {
  const wroteAt = new Date('2026-11-01T08:00:00.000Z')
  expect(wroteLately({ wroteAt, at: new Date('2026-11-01T08:00:09.999Z') })).toBe(true)
  expect(wroteLately({ wroteAt, at: new Date('2026-11-01T08:00:10.000Z') })).toBe(false)
  expect(wroteLately({ wroteAt: null, at: wroteAt })).toBe(false)
})

test('a session that wrote reads the primary for ten seconds, by whichever process', async () => {
  const { world, isUsed } = opened
  await using second = await secondInstance(world)
  await expect.poll(() => second.services.replica?.isFresh(), { timeout: 60_000 }).toBe(true)
  const there = openConsole({ ...world, url: second.url }, { session: owner.token })
  const isFromPrimary = async () => {
    await Promise.all([primary(), replica()])
    await there.order.list.query({})
    return ofTheStory(await primary()).length > 0 && (await replica()).length === 0
  }
  expect(await isFromPrimary()).toBe(false)
  await owner.console.view.save.mutate({ page: 'orders', name: 'mine', query: '', everybody: false })
  expect(await isFromPrimary()).toBe(true)
  await world.passTime({ seconds: 11 })
  await isUsed(true)
  expect(await isFromPrimary()).toBe(false)
})

test('a replica that lags over ten seconds is not read until it has caught up', async () => {
  const { world, replica: server, isUsed } = opened
  const listed = async () => (await owner.console.order.totals.query({})).count
  const before = await listed()
  await server.pause()
  await plantOrders(world, { count: 1 })
  // Within ten seconds the list may be old.
  expect(world.services.replica?.isFresh()).toBe(true)
  expect(await listed()).toBe(before)
  await isUsed(false)
  expect(await listed()).toBe(before + 1)
  await server.replay()
  await isUsed(true)
  expect(await listed()).toBe(before + 1)
})

/** Asks for a list over and over until the answer holds; every answer counts. */
async function askUntil(holds: () => boolean): Promise<number[]> {
  const took: number[] = []
  const endsAt = performance.now() + 30_000
  do {
    const asked = performance.now()
    expect((await owner.console.order.list.query({})).items.length).toBeGreaterThan(0)
    took.push(performance.now() - asked)
  } while (!holds() && performance.now() < endsAt)
  expect(holds()).toBe(true)
  return took
}

test('a replica that is stopped is missed by nobody, and read again once it is back', async () => {
  const { world, replica: server, isUsed } = opened
  const asking = askUntil(() => world.services.replica?.isFresh() === false)
  await server.halt()
  await asking
  await server.start()
  await isUsed(true)
  await Promise.all([primary(), replica()])
  await owner.console.order.list.query({})
  expect(ofTheStory(await primary())).toEqual([])
})

test('a replica that hangs delays a list by less than two seconds', async () => {
  const { world, replicaGate, isUsed } = opened
  replicaGate.freeze()
  const took = await askUntil(() => world.services.replica?.isFresh() === false)
  replicaGate.thaw()
  expect(Math.max(...took)).toBeLessThan(2_500)
  await isUsed(true)
})

test('an export whose replica goes away in the middle is whole', async () => {
  const { replicaGate, isUsed } = opened
  await primary()
  replicaGate.slow(300)
  const answer = await take('orders')
  const reader = answer.body?.getReader()
  const pieces = [(await reader?.read())?.value]
  await replicaGate.cut()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
    pieces.push(next.value)
  replicaGate.slow(0)
  await replicaGate.mend()
  await isUsed(true)
  const lines = Buffer.concat(pieces.flatMap((piece) => (piece ? [piece] : [])))
    .toString()
    .trim()
    .split('\n')
  const head = 1
  const { count } = await owner.console.order.totals.query({})
  expect(ofTheStory(await primary()).some((statement) => /FROM orders/.test(statement))).toBe(true)
  expect(lines).toHaveLength(head + count + 1)
  expect(new Set(lines).size).toBe(lines.length)
})

test('the metrics say that a replica is read from, and by how many connections', async () => {
  const text = await opened.world.metrics.registry.metrics()
  expect(text).toContain('meridian_database_role{role="replica"} 1')
  expect(text).toMatch(/meridian_pool_connections\{pool="replica",state="idle"\} [1-9]/)
})
