import { effect, type Part, Prisma, type Reading } from '@meridian/db'
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

type Queued = Timing & { job: JobName; payload: Prisma.Sql }

/** The same as a part of a statement: one job for each row of `source`, whose columns payload, time and key may read. */
export const enqueueJobPart = <const Name extends string, Reads extends string>(
  name: Name,
  source: Reading<Reads>,
  { job, payload, ...timing }: Queued,
): Part<Name, Reads> =>
  effect(name, source.reads, Prisma.sql`SELECT ${enqueueJobSql(job, payload, timing)} FROM ${source.sql}`)
