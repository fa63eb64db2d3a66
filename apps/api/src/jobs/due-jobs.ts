import {
  column,
  effect,
  execute,
  type Part,
  type Pool,
  Prisma,
  part,
  type Reading,
  reading,
  statement,
} from '@meridian/db'
import { type JobPayloadSql, jobPayloadSql, type KeyedJob } from './job-table.ts'
import { queueTimeSql } from './read-queue.ts'

const { sql } = Prisma

/** `runAt` is an instant of the business; now where it is left out. */
type Scheduled<Job extends KeyedJob> = {
  job: Job
  payload: JobPayloadSql<Job>
  runAt?: Prisma.Sql
  key: Prisma.Sql
}

/**
 * A job for each row of `source`, whose columns payload, time and key may read, as a part of the statement that makes it
 * necessary. It is handed to the job library within a second of its time, which a commit need not notify anybody of; the
 * later of one key replaces the earlier, as there. Rows are written in the order of their keys, so that two statements
 * that plan the same jobs never wait for each other.
 */
export const scheduleJobPart = <const Name extends string, Reads extends string, Job extends KeyedJob>(
  name: Name,
  source: Reading<Reads>,
  { job, payload, runAt = sql`business_now()`, key }: Scheduled<Job>,
): Part<Name, Reads> =>
  part(
    name,
    source.reads,
    sql`
    INSERT INTO due_jobs (key, job, payload, run_at) SELECT ${key}, ${job}, ${payload.json}, ${runAt} FROM ${source.sql} ORDER BY 1
    ON CONFLICT (key) DO UPDATE SET payload = excluded.payload, run_at = excluded.run_at`,
  )

/** How many jobs are handed over by one statement. */
export const mostHandedOver = 500
/** How many payments one job follows. */
const mostFollowed = 100

/** Each process takes other rows, and waits for none. */
const due = sql`
  SELECT key, job, payload, run_at FROM due_jobs WHERE run_at <= business_now()
  ORDER BY run_at LIMIT ${mostHandedOver} FOR UPDATE SKIP LOCKED`

const numbersPaid = jobPayloadSql('follow_payments', {
  outTradeNos: sql`json_agg(payload -> 'outTradeNo' ORDER BY run_at, key)`,
})

/** The rows as jobs: one each, but payments are followed together. */
const jobs = sql`
  SELECT job, payload, run_at, key FROM due WHERE job <> 'follow_payment'
  UNION ALL
  SELECT ${numbersPaid.job}, ${numbersPaid.json}, min(run_at), NULL FROM (
    SELECT *, (row_number() OVER (ORDER BY run_at, key) - 1) / ${mostFollowed}::int AS batch FROM due
    WHERE job = 'follow_payment') paid
  GROUP BY batch`

const specOf = sql`
  ROW (job, payload, NULL, ${queueTimeSql(sql`run_at`)}, NULL, key, NULL, NULL)::graphile_worker.job_spec`

const given = sql`
  SELECT added.key FROM (SELECT array_agg(${specOf}) AS jobs FROM jobs HAVING count(*) > 0) all_of_them,
    graphile_worker.add_jobs(all_of_them.jobs) added`

/** A job that a worker is just taking is not added by the library: its row stays until the next time. */
const handed = sql`
  DELETE FROM due_jobs USING due WHERE due_jobs.key = due.key
    AND (due.job = 'follow_payment' OR due.key IN (SELECT key FROM given))
  RETURNING due_jobs.key`

/**
 * Hands what is due to the job library, which tries it until it is done: at most five hundred jobs by one statement, so
 * that either both tables change or none, and with one notice. Answers how many; any number of processes may.
 */
export async function handOverDueJobs(pool: Pool): Promise<number> {
  const [row] = await execute(
    pool,
    statement({
      name: 'hand-over-due-jobs',
      parts: [
        part('due', [], due),
        part('jobs', ['due'], jobs),
        effect('given', ['jobs'], given),
        part('handed', ['due', 'given'], handed),
      ],
      select: reading(['handed'], sql`SELECT count(*)::int AS handed FROM handed`),
      rows: { handed: column.integer },
    }),
  )
  return row?.handed ?? 0
}
