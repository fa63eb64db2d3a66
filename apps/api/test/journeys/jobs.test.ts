import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { openPool } from '@meridian/db'
import { moveClock } from '@meridian/db/clock'
import { cloneDatabase } from '@meridian/db/testing'
import { type Platform, startPlatform } from '@meridian/payments/testing'
import { expect, test } from 'vitest'
import { checkInvariants } from '../../src/invariants/check-invariants.ts'
import { guardInvariants } from '../../src/invariants/guard-invariants.ts'
import { beat, freeLostJobs } from '../../src/jobs/keep-workers-alive.ts'
import { watchClock } from '../../src/keys/platform-keys.ts'
import { startApi } from '../world/api-process.ts'
import { openDatabaseGate } from '../world/database-gate.ts'
import { Phone } from '../world/phone.ts'
import { platformKeys } from '../world/platform-keys.ts'
import { tamper } from '../world/tamper.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useOpened } from '../world/use-opened.ts'
import { whileTaken } from '../world/while-taken.ts'

type Installation = { platform: Platform; database: { databaseUrl: string } }

/** Lets time pass for programs of their own, as `world.passTime` does. */
const passSeconds = ({ platform, database }: Installation, seconds: number) =>
  platform.moveClock(seconds * 1000, async () => {
    await moveClock(database.databaseUrl, { byMs: seconds * 1000 })
  })

test('the job of a worker killed with -9 runs again on another once its heartbeat is a minute old', async () => {
  const [database, platform] = await Promise.all([cloneDatabase(), startPlatform({ keys: platformKeys() })])
  const pool = openPool(database.databaseUrl)
  const start = () =>
    startApi({ platform, databaseUrl: database.databaseUrl, more: { MERIDIAN_ROLE: 'all' } })
  const doomed = await start()
  const phone = await Phone.logIn(doomed.url, platform, 'o-worker')
  const purchase = await phone.buys()
  await phone.pays(purchase, { silent: true })
  platform.faults.add({ kind: 'delay', at: 'query', ms: 4000 })
  const locked = () =>
    pool.query(
      `SELECT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL AND task_identifier = 'sweep_order'`,
    )
  await expect.poll(async () => (await locked()).rowCount).toBe(1)
  doomed.process.kill('SIGKILL')
  platform.faults.clear()

  const survivor = await start()
  await passSeconds({ platform, database }, 61)
  const statusOf = async () =>
    (await pool.query<{ status: string }>('SELECT status::text FROM orders')).rows[0]?.status
  await expect.poll(statusOf).toBe('paid')
  await survivor.stop()
  await pool.end()
  await platform.stop()
  await database.drop()
})

test('a job locked by a worker that was not seen for a minute is free again, one of a living worker is not', async () => {
  await using world = await openTestWorld()
  const { pool } = world.services.database
  for (const worker of ['dead', 'alive']) {
    await world.query(`SELECT graphile_worker.add_job('check_invariants', '{}'::json)`)
    await world.query(
      `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now() - interval '70 seconds' WHERE locked_by IS NULL`,
      [worker],
    )
  }
  await beat(pool, ['alive'])
  expect(await freeLostJobs(pool)).toBe(1)
  const jobs = await world.query('SELECT locked_by FROM graphile_worker._private_jobs ORDER BY locked_by')
  expect(jobs).toEqual([{ locked_by: 'alive' }, { locked_by: null }])
})

test('a job that is added while a worker takes the waiting one of its key is not lost', async () => {
  await using world = await openTestWorld()
  const key = 'refund:R00000000000000000000000001'
  const add = () => world.query(`SELECT enqueue_job('track_refund', '{}', now(), $1)`, [key])
  await add()
  await whileTaken(world, key, add)
  const jobs = await world.query('SELECT locked_by, key FROM graphile_worker.jobs ORDER BY id')
  expect(jobs).toEqual([
    { locked_by: 'worker', key: null },
    { locked_by: null, key },
  ])
})

test('nothing violates the invariants after ordinary business, and each planted violation is found and parked', async () => {
  await using world = await openTestWorld()
  const { pool } = world.services.database
  const phone = await world.phone()
  const paid = await phone.buys()
  await phone.pays(paid)
  const unpaid = await (await world.phone()).buys()
  expect(await checkInvariants(pool)).toEqual([])

  await tamper(world, 'DELETE FROM grants')
  await world.passTime({ hours: 3 })
  const found = await guardInvariants(pool)
  expect(found.map(({ invariant, outTradeNo }) => [invariant, outTradeNo])).toEqual([
    ['paid_without_grant', paid.order.out_trade_no],
    ['unpaid_and_forgotten', unpaid.order.out_trade_no],
    ['ledger_differs', null],
  ])
  const parked = await world.query('SELECT park_reason FROM orders WHERE parked ORDER BY id')
  expect(parked).toEqual([{ park_reason: 'paid_without_grant' }, { park_reason: 'unpaid_and_forgotten' }])
  expect((await checkInvariants(pool)).map(({ invariant }) => invariant)).toEqual(['ledger_differs'])
})

test('a clock more than a minute off the platform’s raises one alert, however often it is looked at', async () => {
  await using world = await openTestWorld()
  const { pool } = world.services.database
  for (const skewMs of [null, 0, 60_000, -60_000, -61_000, 61_000, 400_000])
    await watchClock(pool, { clockSkewMs: () => skewMs, platformHost: 'platform.test' })
  const alerts = await world.query("SELECT subject, times, detail FROM alerts WHERE kind = 'clock_skewed'")
  expect(alerts).toEqual([{ subject: 'platform.test', times: 3, detail: { skewMs: -61_000 } }])
})

/** A replica with workers, in a program of its own, that reaches its database through a gate. */
async function openGatedReplica() {
  const [database, platform] = await Promise.all([cloneDatabase(), startPlatform({ keys: platformKeys() })])
  const gate = await openDatabaseGate(database.databaseUrl)
  const pool = openPool(database.databaseUrl)
  const api = await startApi({ platform, databaseUrl: gate.databaseUrl, more: { MERIDIAN_ROLE: 'all' } })
  return {
    platform,
    database,
    gate,
    pool,
    api,
    phone: () => Phone.logIn(api.url, platform, `o${randomUUID()}`),
    closedOf: async ({ openid }: Phone) => {
      const closed = `SELECT 1 FROM orders o JOIN users u ON u.id = o.user_id WHERE o.status = 'closed' AND u.openid = $1`
      return (await pool.query(closed, [openid])).rowCount
    },
    [Symbol.asyncDispose]: async () => {
      api.process.kill('SIGKILL')
      await pool.end()
      await platform.stop()
      await gate.cut()
      await database.drop()
    },
  }
}

const replica = useOpened(openGatedReplica)

test('a job that fails waits for its next try, and the program that ran it lives on', async () => {
  const { platform, pool, api } = replica
  const phone = await replica.phone()
  platform.faults.add({ kind: 'error_before', at: 'query' })
  await phone.buys('monthly', 'first')
  await phone.buys('monthly', 'second')
  const failed = () =>
    pool.query(
      `SELECT 1 FROM graphile_worker._private_jobs WHERE last_error IS NOT NULL AND attempts = 1 AND locked_by IS NULL AND run_at > now()`,
    )
  await expect.poll(async () => (await failed()).rowCount).toBe(1)
  platform.faults.clear()
  await passSeconds(replica, 3)
  await expect.poll(() => replica.closedOf(phone)).toBe(1)
  expect([api.process.exitCode, api.process.signalCode]).toEqual([null, null])
})

test('a database that goes away while a job is at work costs neither the program nor the job', async () => {
  const { platform, api, gate } = replica
  const phone = await replica.phone()
  const answers = () => platform.requests.filter(({ path }) => path.includes('/out-trade-no/')).length
  const before = answers()
  platform.faults.add({ kind: 'delay', at: 'query', ms: 1500, times: 1 })
  await phone.buys('monthly', 'first')
  await phone.buys('monthly', 'second')
  // A job that has only just begun still reads the database before it asks: cut then, it would never ask.
  const hasAsked = () => platform.faults.rules.length === 0
  await expect.poll(hasAsked).toBe(true)
  await gate.cut()
  await expect.poll(answers).toBeGreaterThan(before)
  await gate.mend()
  const ready = () => fetch(`${api.url}/readyz`).then(({ ok }) => ok)
  await expect.poll(ready).toBe(true)
  await passSeconds(replica, 61)
  await expect.poll(() => replica.closedOf(phone)).toBe(1)
  expect([api.process.exitCode, api.process.signalCode]).toEqual([null, null])
})

test('an order about which the platform hangs does not hold up the jobs of others', async () => {
  let hanging = ''
  let asked = false
  const letGo = new AbortController()
  const released = once(letGo.signal, 'abort')
  const slowly: typeof fetch = async (input, init) => {
    if (hanging !== '' && String(input).includes(hanging)) {
      asked = true
      await released
    }
    return fetch(input, init)
  }
  await using world = await openTestWorld({ jobs: true, runtime: { fetch: slowly } })
  await using _letGo = { [Symbol.asyncDispose]: async () => letGo.abort() }
  /** The second purchase has the first order asked about and closed. */
  const replaceFirst = async (follow: (outTradeNo: string) => void = () => undefined) => {
    const phone = await world.phone()
    follow((await phone.buys('monthly', 'first')).order.out_trade_no)
    await phone.buys('monthly', 'second')
  }
  await replaceFirst((outTradeNo) => {
    hanging = outTradeNo
  })
  await expect.poll(() => asked).toBe(true)
  for (const _ of [1, 2, 3, 4, 5]) await replaceFirst()
  const closed = async () => (await world.query(`SELECT 1 FROM orders WHERE status = 'closed'`)).length
  await expect.poll(closed).toBe(5)
  letGo.abort()
  await expect.poll(closed).toBe(6)
})
