import { Prisma } from '@meridian/db'
import { queueNowSql, queueTimeSql } from './queue-time.ts'

/** Every job there is, with what it needs to know. */
export type Jobs = {
  sweep_order: { outTradeNo: string; attempt: number }
  track_refund: { outRefundNo: string; attempt: number }
  follow_payment: { outTradeNo: string }
  refresh_keys: Record<string, never>
  check_invariants: Record<string, never>
  forget_old: Record<string, never>
  reconcile_day: { date: string }
  upload_shipping: { outTradeNo: string; attempt: number }
  queue_missed_shipping: Record<string, never>
  remind_expiring: Record<string, never>
  apply_setting: { requestId: string }
  retire_unpaid_orders: { userId: string; exceptOutTradeNo: string }
}
export type JobName = keyof Jobs

/** `runAt` is an instant of the business. */
type Timing = { runAt?: Prisma.Sql; key?: Prisma.Sql }

/**
 * An SQL expression that enqueues a job inside the statement it is part of, so that what must follow a commit is
 * a row of that commit. `payload` is an expression of type json.
 */
export const enqueueJobSql = (job: JobName, payload: Prisma.Sql, { runAt, key }: Timing = {}): Prisma.Sql =>
  Prisma.sql`(graphile_worker.add_job(${job}, ${payload}, run_at => ${runAt ? queueTimeSql(runAt) : queueNowSql}, job_key => ${key ?? Prisma.sql`NULL`})).id`

type Later = { payload: Prisma.Sql; runAt: Prisma.Sql; key: Prisma.Sql }
/** A named part of a statement, and the expression that makes sure of the job and is its id. */
type Planned = { part: Prisma.Sql; id: Prisma.Sql }

// The library's own function wakes the workers, and PostgreSQL lets only one commit at a time do so. What is due
// later need wake nobody: workers look for it anyway. Where no row came about, the library's function decides.
const orEnqueued = (job: JobName, { payload, ...timing }: Later): Prisma.Sql =>
  Prisma.sql`coalesce((SELECT id FROM planned_job), ${enqueueJobSql(job, payload, timing)})`

/** Like `enqueued`, for the one row of `source`, a job for later and a key that nobody has used: wakes nobody. */
export const planned = (job: JobName, source: Prisma.Sql, later: Later): Planned => ({
  part: Prisma.sql`
    planned_job AS (
      INSERT INTO graphile_worker._private_jobs (task_id, payload, run_at, key)
      SELECT task.id, ${later.payload}, ${queueTimeSql(later.runAt)}, ${later.key}
      FROM ${source}, graphile_worker._private_tasks task WHERE task.identifier = ${job} RETURNING id)`,
  id: orEnqueued(job, later),
})

/** Like `planned`, where a job most likely waits under this key already: that one is moved. */
export const replanned = (job: JobName, source: Prisma.Sql, later: Later): Planned => ({
  part: Prisma.sql`
    planned_job AS (
      UPDATE graphile_worker._private_jobs waiting
      SET run_at = ${queueTimeSql(later.runAt)}, payload = ${later.payload}, attempts = 0, last_error = NULL, updated_at = ${queueNowSql}
      FROM ${source} WHERE waiting.key = ${later.key} AND waiting.locked_at IS NULL RETURNING waiting.id)`,
  id: orEnqueued(job, later),
})
