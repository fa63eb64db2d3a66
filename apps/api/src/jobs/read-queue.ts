import { column, execute, type Pool, Prisma, query } from '@meridian/db'

const { sql } = Prisma

/**
 * The job library compares `run_at` with the server's own clock, which nobody can move. In production both clocks are
 * the same; where the clock of the business was moved (tests, sandbox), these two lead from one to the other.
 */
const movedBy = sql`(business_now() - now())`

/** Now, as the queue counts. */
export const queueNowSql = sql`now()`
/** The moment at which the queue has to run what falls due at an instant of the business. */
export const queueTimeSql = (instant: Prisma.Sql): Prisma.Sql => sql`(${instant} - ${movedBy})`
/** The instant of the business for a moment that the queue keeps. */
export const businessTimeSql = (moment: Prisma.Sql): Prisma.Sql => sql`(${moment} + ${movedBy})`

/** The same, of a moment that a job was told. */
export async function businessTimeOf(pool: Pool, moment: Date): Promise<Date> {
  const told = sql`${moment}::timestamptz`
  const [row] = await execute(
    pool,
    query('read-business-time', sql`SELECT ${businessTimeSql(told)} AS at`, { at: column.instant }),
  )
  if (!row) throw new Error('a clock without a row')
  return row.at
}

/**
 * All jobs there are, with the columns by which they are counted: what the job library has, and what is handed to it when
 * its time has come, which nobody has tried yet. A relation.
 */
export const queuedJobsSql = sql`(
  SELECT task_identifier, key, run_at, locked_at, attempts, max_attempts, last_error FROM graphile_worker.jobs
  UNION ALL
  SELECT job, key, ${queueTimeSql(sql`run_at`)}, NULL, 0, 1, NULL FROM due_jobs) queued`

/**
 * Whether a row of graphile_worker.jobs gave up: tried as often as it may be. What the library leaves of a job that was
 * enqueued anew under its key while it was at work is none: it has neither key nor error, its attempts are set to the
 * most, and it stays only where its worker died before it ended (graphile-worker's add_job).
 */
export const isDeadJobSql = Prisma.sql`
  attempts >= max_attempts AND locked_at IS NULL AND (key IS NOT NULL OR last_error IS NOT NULL)`

/** Whether the job queue's tables are there and may be written; throws when the database is not. */
export async function isQueueReady(pool: Pool): Promise<boolean> {
  const [row] = await execute(
    pool,
    query(
      'find-queue',
      Prisma.sql`SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AND NOT pg_is_in_recovery() AS ready`,
      { ready: column.boolean },
    ),
  )
  return row?.ready ?? false
}
