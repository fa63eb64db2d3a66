import { Prisma } from '@meridian/db'

/** Every job there is, with what it needs to know. */
export type Jobs = {
  sweep_order: { outTradeNo: string; attempt: number }
  track_refund: { outRefundNo: string; attempt: number }
  follow_payment: { outTradeNo: string }
  refresh_keys: Record<string, never>
  check_invariants: Record<string, never>
  tell_alert: { alertId: string }
  forget_old: Record<string, never>
  reconcile_day: { date: string }
  upload_shipping: { outTradeNo: string; attempt: number }
  queue_missed_shipping: Record<string, never>
  remind_expiring: Record<string, never>
  retire_unpaid_orders: { userId: string; exceptOutTradeNo: string }
}
export type JobName = keyof Jobs

type Timing = { runAt?: Prisma.Sql; key?: Prisma.Sql }

/**
 * An SQL expression that enqueues a job inside the statement it is part of, so that what must follow a commit is
 * a row of that commit. `payload` is an expression of type json.
 */
export const enqueued = (job: JobName, payload: Prisma.Sql, { runAt, key }: Timing = {}): Prisma.Sql =>
  Prisma.sql`(graphile_worker.add_job(${job}, ${payload}, run_at => ${runAt ?? Prisma.sql`now()`}, job_key => ${key ?? Prisma.sql`NULL`})).id`
