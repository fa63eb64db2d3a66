import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPool } from '@meridian/db'
import { beforeEach, expect, test } from 'vitest'
import { keepHandingOver } from '../../src/doors/jobs/hand-over-jobs.ts'
import { handOverDueJobs, mostHandedOver } from '../../src/jobs/due-jobs.ts'
import { showJobs } from '../../src/jobs/manage-jobs.ts'
import { readFigures } from '../../src/monitoring/read-figures.ts'
import { openDatabaseGate } from '../world/database-gate.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { payLate } from '../world/parked-payments.ts'
import { forgetJobs } from '../world/queued-jobs.ts'
import { openTestWorld } from '../world/test-world.ts'
import { untilWaiting } from '../world/until-waiting.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { whileTaken } from '../world/while-taken.ts'

const world = useTestWorld()

beforeEach(() => forgetJobs(world))

const pool = () => world.services.database.pool

/** Jobs that are due since a while, each about an order that there is none of. */
const plant = (count: number, job = 'sweep_order') =>
  world.query(
    `INSERT INTO due_jobs (key, job, payload, run_at)
     SELECT 'planted:' || n, $2, json_build_object('outTradeNo', 'M' || n, 'attempt', 0), business_now() - interval '1 hour'
     FROM generate_series(1, $1::int) n`,
    [count, job],
  )

const inQueue = () =>
  world.query<{ job: string; key: string | null; payload: { outTradeNos?: string[] } }>(
    `SELECT t.identifier AS job, j.key, j.payload FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id ORDER BY j.id`,
  )
const left = async () => (await world.query('SELECT key FROM due_jobs')).length

test('a job is done within two seconds of its time', async () => {
  await using live = await openTestWorld({ jobs: true })
  const phone = await live.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase, { silent: true })
  const outTradeNo = purchase.order.out_trade_no
  const [planned] = await live.query<{ at: Date }>(
    `SELECT run_at AS at FROM due_jobs WHERE key = 'sweep:' || $1`,
    [outTradeNo],
  )
  const found = () =>
    live.query<{ at: Date }>(
      'SELECT confirmed_at AS at FROM orders WHERE out_trade_no = $1 AND paid_at IS NOT NULL',
      [outTradeNo],
    )
  await expect.poll(found, { timeout: 15_000 }).toHaveLength(1)
  const [paid] = await found()
  const waitedMs = Number(paid?.at) - Number(planned?.at)
  expect(waitedMs).toBeGreaterThanOrEqual(0)
  expect(waitedMs).toBeLessThan(2_000)
})

test('two processes at once hand over each job once, all of them by batches with one notice each', async () => {
  await plant(3 * mostHandedOver)
  const handed = await Promise.all([1, 2, 3, 4].map(() => handOverDueJobs(pool())))
  expect(Math.max(...handed)).toBeLessThanOrEqual(mostHandedOver)
  let more = 0
  do {
    more = await handOverDueJobs(pool())
    handed.push(more)
  } while (more > 0)
  expect(handed.reduce((sum, each) => sum + each)).toBe(3 * mostHandedOver)
  const keys = (await inQueue()).map(({ key }) => key)
  expect(keys).toHaveLength(3 * mostHandedOver)
  expect(new Set(keys).size).toBe(3 * mostHandedOver)
  expect(await left()).toBe(0)
})

test('what is not due yet stays, also where the clock of the business is ahead', async () => {
  await world.query(
    `INSERT INTO due_jobs (key, job, payload, run_at)
     VALUES ('later', 'sweep_order', '{"outTradeNo": "M1", "attempt": 0}', business_now() + interval '1 minute')`,
  )
  expect(await handOverDueJobs(pool())).toBe(0)
  await world.passTime({ seconds: 61 })
  expect(await handOverDueJobs(pool())).toBe(1)
  const [job] = await world.query<{ late: number }>(
    'SELECT round(extract(epoch FROM now() - run_at))::int AS late FROM graphile_worker.jobs',
  )
  expect(job?.late).toBeLessThan(10)
})

test('a later job of a key replaces the earlier one, and one that is handed over already as well', async () => {
  const phone = await world.phone()
  const { order } = await phone.buys('monthly', 'replaced')
  const key = `sweep:${order.out_trade_no}`
  // Times are kept in milliseconds: "now" may be rounded into what is still to come.
  const justNow = `business_now() - interval '1 second'`
  await world.query(`UPDATE due_jobs SET run_at = ${justNow} WHERE key = $1`, [key])
  expect(await handOverDueJobs(pool())).toBe(1)
  await world.query(
    `INSERT INTO due_jobs (key, job, payload, run_at) VALUES ($1, 'sweep_order', '{"attempt": 7}', ${justNow})`,
    [key],
  )
  expect(await handOverDueJobs(pool())).toBe(1)
  expect(await inQueue()).toEqual([{ job: 'sweep_order', key, payload: { attempt: 7 } }])
})

test('a process killed while it hands over loses nothing and gives nothing twice', async () => {
  await plant(3)
  const other = openPool(world.databaseUrl, { maxConnections: 1 })
  const holding = await other.connect()
  await holding.query('BEGIN')
  await holding.query('LOCK TABLE graphile_worker._private_jobs IN EXCLUSIVE MODE')
  const killed = handOverDueJobs(pool()).catch((error: unknown) => String(error))
  await untilWaiting(world, 1)
  await world.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  )
  expect(await killed).toContain('terminating connection')
  await holding.query('ROLLBACK')
  holding.release()
  await other.end()
  expect([await left(), (await inQueue()).length]).toEqual([3, 0])
  expect(await handOverDueJobs(pool())).toBe(3)
  expect([await left(), (await inQueue()).length]).toEqual([0, 3])
})

test('what fell due while the database was away is handed over when it is back', async () => {
  const gate = await openDatabaseGate(world.databaseUrl)
  const through = openPool(gate.databaseUrl, { maxConnections: 1, onIdleError: () => undefined })
  const stop = keepHandingOver(world.services, through)
  await plant(1)
  await expect.poll(left).toBe(0)
  await gate.cut()
  await plant(2)
  await gate.mend()
  await expect.poll(left).toBe(0)
  stop()
  await through.end()
  await gate.cut()
})

test('a job whose earlier one a worker is just taking is handed over the next time', async () => {
  await plant(1)
  await handOverDueJobs(pool())
  await plant(1)
  const handed = await whileTaken(world, 'planted:1', () => handOverDueJobs(pool()))
  const again = await handOverDueJobs(pool())
  expect(handed + again).toBe(1)
  expect(await left()).toBe(0)
  expect(await world.query('SELECT locked_by, key FROM graphile_worker.jobs ORDER BY id')).toEqual([
    { locked_by: 'worker', key: null },
    { locked_by: null, key: 'planted:1' },
  ])
  await world.query(`SELECT graphile_worker.force_unlock_workers('{worker}')`)
})

test('payments that are due together are followed by one job for a hundred', async () => {
  await plant(250, 'follow_payment')
  expect(await handOverDueJobs(pool())).toBe(250)
  const jobs = await inQueue()
  expect(jobs.map(({ job, key, payload }) => [job, key, payload.outTradeNos?.length])).toEqual([
    ['follow_payments', null, 100],
    ['follow_payments', null, 100],
    ['follow_payments', null, 50],
  ])
  expect(new Set(jobs.flatMap(({ payload }) => payload.outTradeNos)).size).toBe(250)
})

test('a payment that cannot be followed keeps none of its batch from being followed', async () => {
  const [poisoned, ...others] = [
    (await payLate(world)).outTradeNo,
    (await payLate(world)).outTradeNo,
    (await payLate(world)).outTradeNo,
  ]
  await world.query(`ALTER TABLE alerts ADD CONSTRAINT poisoned CHECK (subject <> '${poisoned}')`)
  await doDueJobs(world)
  const told = await world.query<{ subject: string }>(
    `SELECT subject FROM alerts WHERE kind = 'order_parked' ORDER BY subject`,
  )
  expect(told.map(({ subject }) => subject)).toEqual(others.toSorted())
  const failing = await world.query(
    `SELECT key, attempts::int, last_error LIKE '%poisoned%' AS told FROM graphile_worker.jobs`,
  )
  expect(failing).toEqual([{ key: `follow:${poisoned}`, attempts: 1, told: true }])
  await world.query('ALTER TABLE alerts DROP CONSTRAINT poisoned')
})

test('who goes back to the release before hands everything over by the statement of the guide', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guides/upgrading.md'), 'utf8')
  const [, statement = ''] = guide.match(/```sql\n(WITH handed[^`]*)```/) ?? []
  await plant(2)
  await world.query(statement)
  await world.query(statement)
  expect(await left()).toBe(0)
  expect((await inQueue()).map(({ job, key }) => [job, key])).toEqual([
    ['sweep_order', 'planted:1'],
    ['sweep_order', 'planted:2'],
  ])
})

test('the page of the jobs and the figures count what is not handed over yet', async () => {
  await plant(2)
  await world.query(
    `INSERT INTO due_jobs (key, job, payload, run_at) VALUES ('later', 'sweep_order', '{}', business_now() + interval '1 hour')`,
  )
  const { queue } = await showJobs(pool(), new Date())
  expect(queue).toMatchObject([{ job: 'sweep_order', due: 2, scheduled: 1, dead: 0 }])
  const { jobsDue, jobsOldestDueSeconds } = await readFigures(pool(), null)
  expect(jobsDue).toBe(2)
  expect(jobsOldestDueSeconds).toBeGreaterThanOrEqual(3_600)
})
