import { openPool, type Pool } from '@meridian/db'
import { startTestCluster } from '@meridian/db/testing'
import { expect, onTestFinished, test } from 'vitest'
import { signedInConsole } from '../world/console.ts'
import { call, type Phone } from '../world/phone.ts'
import { prepareDatabase } from '../world/prepare-database.ts'
import { openTestWorld, type TestWorld } from '../world/test-world.ts'

/** What is set for a database holds for the sessions that begin after it, and a pooler keeps those that it has. */
const endOtherSessions = (owner: Pool) =>
  owner.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
  )

/** A world on a server of its own, since what is set here holds for every database of a server. */
async function openOwnServer() {
  const cluster = await startTestCluster({ prepare: prepareDatabase })
  const world = await openTestWorld()
  // Test servers answer before a commit is on disk; here a commit waits as in production.
  const owner = openPool(world.behindGate, { maxConnections: 1 })
  const database = new URL(world.behindGate).pathname.slice(1)
  await owner.query(`ALTER DATABASE ${database} SET synchronous_commit = on`)
  await endOtherSessions(owner)
  const set = async (setting: string) => {
    await owner.query(`ALTER SYSTEM ${setting}`)
    await owner.query('SELECT pg_reload_conf()')
  }
  onTestFinished(async () => {
    await set('RESET synchronous_standby_names')
    await owner.end()
    await world[Symbol.asyncDispose]()
    await cluster.stop()
  })
  return { world, owner, set, database }
}

const readiness = async ({ url }: TestWorld) => (await call(`${url}/readyz`)).body

async function seesTheirSubscription(phone: Phone) {
  expect((await phone.subscription()).remaining_days).toBeGreaterThan(0)
}

test('writes that no standby confirms are refused at once, reads go on, and the program stays in', async () => {
  const { world, set } = await openOwnServer()
  const phone = await world.phone()
  await phone.pays(await phone.buys('monthly'))
  await set(`SET synchronous_standby_names = 'nobody'`)
  await expect
    .poll(async () => (await phone.purchaseAnswer('yearly')).status, { timeout: 60_000, interval: 100 })
    .toBe(503)
  await expect
    .poll(() => readiness(world), { timeout: 60_000 })
    .toMatchObject({ status: 'degraded', database: 'read_only' })
  const asked = performance.now()
  const refused = await phone.purchaseAnswer('yearly')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  const waitedForStandbyMs = 3_000
  expect(performance.now() - asked).toBeLessThan(waitedForStandbyMs)
  await seesTheirSubscription(phone)
  await set('RESET synchronous_standby_names')
  await expect.poll(() => readiness(world), { timeout: 60_000 }).toMatchObject({ status: 'ready' })
  await phone.pays(await phone.buys('yearly'))
  expect((await phone.subscription()).remaining_days).toBe(395)
})

test('where the database only reads, phones and console read on, and whoever writes is told when to come back', async () => {
  const { world, owner, database } = await openOwnServer()
  const phone = await world.phone()
  await phone.pays(await phone.buys('monthly'))
  const { console } = await signedInConsole(world, { email: 'reader@example.com', role: 'finance' })
  await owner.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`)
  await endOtherSessions(owner)
  await expect
    .poll(() => readiness(world), { timeout: 60_000 })
    .toMatchObject({ status: 'degraded', database: 'read_only' })
  await seesTheirSubscription(phone)
  expect((await console.order.list.query({})).items).toHaveLength(1)
  expect((await phone.purchaseAnswer('yearly')).status).toBe(503)
  const notified = await call(`${world.url}/api/v1/payment/notify`, {
    method: 'POST',
    body: {},
    undeclared: true,
  })
  expect([notified.status, notified.body]).toEqual([503, { code: 'FAIL', message: expect.any(String) }])
})
