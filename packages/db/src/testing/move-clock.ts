import { setTimeout as pause } from 'node:timers/promises'
import { withConnection } from '@meridian/embedded-postgres/testing'
import { CronExpressionParser } from 'cron-parser'
import type { Client } from 'pg'

/** How far the clock of the business is ahead of the server's, in milliseconds. */
async function readOffset(client: Client): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(
    'SELECT extract(epoch FROM business_now() - now())::float8 * 1000 AS ms',
  )
  return Math.round(rows[0]?.ms ?? 0)
}

/**
 * How far the clock of this database is ahead of the machine's, in milliseconds.
 * @throws Error when it cannot be reached or was not migrated
 */
export const readClock = (databaseUrl: string): Promise<number> => withConnection(databaseUrl, readOffset)

// The job library counts by the server's clock: what waits for a day waits a day less, what was due is overdue.
const advanceJobsSql = `
  SELECT graphile_worker.reschedule_jobs(ARRAY[id], run_at => run_at - $1::float8 * interval '1 ms')
  FROM graphile_worker.jobs WHERE locked_at IS NULL AND attempts < max_attempts`

/** A job that the library starts by the server's clock: its cron line, in UTC. */
export type Scheduled = { cron: string; job: string }

/** The last moment of a cron line after one instant and not after another; null where none lies between them. */
function lastBetween(cron: string, from: Date, to: Date): Date | null {
  const justAfter = new Date(to.getTime() + 1)
  const last = CronExpressionParser.parse(cron, { currentDate: justAfter, tz: 'UTC' }).prev().toDate()
  return last > from ? last : null
}

type Move = { aheadMs: number; byMs: number }

/** Enqueues what the schedule would have started meanwhile: each job once, as a run that is made up for. */
async function enqueueMissedRuns(
  client: Client,
  schedule: readonly Scheduled[],
  { aheadMs, byMs }: Move,
): Promise<void> {
  const to = new Date(Date.now() + aheadMs)
  for (const { cron, job } of schedule) {
    const moment = lastBetween(cron, new Date(to.getTime() - byMs), to)
    if (!moment) continue
    const payload = { _cron: { ts: new Date(moment.getTime() - aheadMs), backfilled: true } }
    await client.query('SELECT graphile_worker.add_job($1, $2::json)', [job, JSON.stringify(payload)])
  }
}

const replaceClockSql = (ms: number) => `
  CREATE OR REPLACE FUNCTION business_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  AS $$SELECT now() + interval '${ms} milliseconds'$$`

/**
 * Moves the clock of the business forward, as the owner of the database: for every statement from the next one on.
 * No row is changed but when jobs run. Answers how far it is ahead now, in milliseconds.
 * @throws RangeError for a step that is not forward
 */
export async function moveClock(
  databaseUrl: string,
  { byMs, schedule = [] }: { byMs: number; schedule?: readonly Scheduled[] },
): Promise<number> {
  if (!(Number.isSafeInteger(byMs) && byMs > 0))
    throw new RangeError('a clock is moved forward, by whole milliseconds')
  return withConnection(databaseUrl, async (client) => {
    await client.query('BEGIN')
    const aheadMs = (await readOffset(client)) + byMs
    await client.query(replaceClockSql(aheadMs))
    await client.query(advanceJobsSql, [byMs])
    await enqueueMissedRuns(client, schedule, { aheadMs, byMs })
    await client.query('COMMIT')
    return aheadMs
  })
}

const atWork = `
  SELECT FROM graphile_worker.jobs WHERE attempts < max_attempts AND (run_at <= now() OR locked_at IS NOT NULL)
  UNION ALL SELECT FROM due_jobs WHERE run_at <= business_now() LIMIT 1`
const workers = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 LIMIT 1`

export type Patience = {
  /** The name under which workers are connected: where there are none, nothing is waited for. */
  workersName: string
  patienceMs: number
}

/** Waits until no job is due or at work, at most so long. Answers whether the queue came to rest. */
export const waitForIdleQueue = (
  databaseUrl: string,
  { workersName, patienceMs }: Patience,
): Promise<boolean> =>
  withConnection(databaseUrl, async (client) => {
    const found = async (statement: string, values: string[] = []) =>
      (await client.query(statement, values)).rowCount !== 0
    for (const endsAt = performance.now() + patienceMs; performance.now() < endsAt; await pause(50)) {
      if (!(await found(atWork))) return true
      if (!(await found(workers, [workersName]))) return false
    }
    return false
  })
