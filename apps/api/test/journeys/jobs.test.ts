import { openPool } from '@meridian/db'
import { cloneDatabase } from '@meridian/db/testing'
import { startPlatform } from '@meridian/payments/testing'
import { expect, test } from 'vitest'
import { checkInvariants } from '../../src/invariants/check-invariants.ts'
import { guardInvariants } from '../../src/invariants/guard-invariants.ts'
import { beat, freeLostJobs } from '../../src/jobs/keep-workers-alive.ts'
import { startApi } from '../world/api-process.ts'
import { Phone } from '../world/phone.ts'
import { openTestWorld } from '../world/test-world.ts'

test('the job of a worker killed with -9 runs again on another once its heartbeat is a minute old', async () => {
  const [database, platform] = await Promise.all([cloneDatabase(), startPlatform()])
  const pool = openPool(database.databaseUrl)
  const start = () =>
    startApi({ platform, databaseUrl: database.databaseUrl, more: { MERIDIAN_ROLE: 'all' } })
  const doomed = await start()
  const phone = await Phone.logIn(doomed.url, platform, 'o-worker')
  const purchase = await phone.buys()
  await phone.pays(purchase, { silent: true })
  platform.weather.add({ kind: 'delay', at: 'query', ms: 4000 })
  const locked = () =>
    pool.query(
      `SELECT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL AND task_identifier = 'sweep_order'`,
    )
  await expect.poll(async () => (await locked()).rowCount, { timeout: 15_000 }).toBe(1)
  doomed.process.kill('SIGKILL')
  platform.weather.clear()

  const survivor = await start()
  await pool.query(
    `UPDATE worker_heartbeats SET seen_at = now() - interval '61 seconds' WHERE worker_id IN (SELECT locked_by FROM graphile_worker.jobs)`,
  )
  const statusOf = async () =>
    (await pool.query<{ status: string }>('SELECT status::text FROM orders')).rows[0]?.status
  await expect.poll(statusOf, { timeout: 40_000 }).toBe('paid')
  await survivor.stop()
  await pool.end()
  await platform.stop()
  await database.drop()
}, 90_000)

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

test('nothing violates the invariants after ordinary business, and each planted violation is found and parked', async () => {
  await using world = await openTestWorld()
  const { pool } = world.services.database
  const phone = await world.phone()
  const paid = await phone.buys()
  await phone.pays(paid)
  const unpaid = await (await world.phone()).buys()
  expect(await checkInvariants(pool)).toEqual([])

  await world.query('ALTER TABLE grants DISABLE TRIGGER USER')
  await world.query('ALTER TABLE orders DISABLE TRIGGER USER')
  await world.query('DELETE FROM grants')
  await world.query(
    `UPDATE orders SET created_at = now() - interval '3 hours', expires_at = now() - interval '2 hours' WHERE status = 'prepay'`,
  )
  const found = await guardInvariants(pool)
  expect(found.map(({ invariant, outTradeNo }) => [invariant, outTradeNo])).toEqual([
    ['paid_without_grant', paid.order.out_trade_no],
    ['unpaid_and_forgotten', unpaid.order.out_trade_no],
  ])
  const parked = await world.query('SELECT park_reason FROM orders WHERE parked ORDER BY id')
  expect(parked).toEqual([{ park_reason: 'paid_without_grant' }, { park_reason: 'unpaid_and_forgotten' }])
  expect((await checkInvariants(pool)).map(({ invariant }) => invariant)).toEqual(['ledger_differs'])
})
