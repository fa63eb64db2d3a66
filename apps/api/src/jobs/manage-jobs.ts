import { FailingJob, type JobOverview, JobQueueRow, JobWorker, schedule } from '@meridian/contracts'
import { column, type Database, execute, nullable, type Pool, Prisma, query } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { businessTimeSql, isDeadJobSql, queuedJobsSql, queueNowSql } from './read-queue.ts'

const { sql } = Prisma

const jobWorkerColumns = columnsOf(JobWorker)

const failingJobColumns = columnsOf(FailingJob)

const jobQueueRowColumns = columnsOf(JobQueueRow)

/** A worker that was not seen for so long is given up, and its jobs are freed. */
const aliveWithin = sql`interval '60 seconds'`

const queueState = sql`
  SELECT task_identifier AS job,
    count(*) FILTER (WHERE locked_at IS NULL AND run_at <= ${queueNowSql} AND attempts < max_attempts)::int AS due,
    count(*) FILTER (WHERE locked_at IS NOT NULL)::int AS running,
    count(*) FILTER (WHERE locked_at IS NULL AND run_at > ${queueNowSql} AND attempts < max_attempts)::int AS scheduled,
    count(*) FILTER (WHERE last_error IS NOT NULL AND attempts < max_attempts)::int AS failing,
    count(*) FILTER (WHERE ${isDeadJobSql})::int AS dead,
    ${businessTimeSql(sql`min(run_at) FILTER (WHERE locked_at IS NULL AND run_at <= ${queueNowSql} AND attempts < max_attempts)`)} AS "oldestDueAt"
  FROM ${queuedJobsSql} GROUP BY task_identifier ORDER BY task_identifier`

const failingJobs = sql`
  SELECT id::text AS id, task_identifier AS job, key, attempts::int, max_attempts::int AS "maxAttempts",
    left(last_error, 500) AS "lastError", 
    ${businessTimeSql(sql`run_at`)} AS "runAt", ${businessTimeSql(sql`created_at`)} AS "createdAt", locked_at IS NOT NULL AS "isRunning"
  FROM graphile_worker.jobs WHERE last_error IS NOT NULL ORDER BY updated_at DESC, id DESC LIMIT 50`

const workersSeen = sql`
  SELECT worker_id AS "workerId", seen_at AS "seenAt", seen_at > business_now() - ${aliveWithin} AS "isAlive"
  FROM worker_heartbeats ORDER BY seen_at DESC, worker_id LIMIT 50`

const lastRuns = sql`
  SELECT identifier AS job, ${businessTimeSql(sql`last_execution`)} AS "lastRunAt" FROM graphile_worker._private_known_crontabs`

/** The queue by kind of job, what fails and why, what the clock starts, and which workers live. */
export async function showJobs(pool: Pool, readAt: Date): Promise<JobOverview> {
  const [queue, failing, workers, runs] = await Promise.all([
    execute(pool, query('show-queue', queueState, jobQueueRowColumns)),
    execute(pool, query('list-failing-jobs', failingJobs, failingJobColumns)),
    execute(pool, query('list-workers', workersSeen, jobWorkerColumns)),
    execute(
      pool,
      query('list-last-runs', lastRuns, { job: column.text, lastRunAt: nullable(column.instant) }),
    ),
  ])
  const lastRunOf = (job: string) => runs.find((one) => one.job === job)?.lastRunAt ?? null
  return {
    queue,
    failing,
    workers,
    schedule: schedule.map(({ cron, job }) => ({ cron, job, lastRunAt: lastRunOf(job) })),
    readAt,
  }
}

type JobAction = Actor & { id: string }
type Touched = { job: string; key: string | null; lastError: string | null }

const acts = {
  retry: (id: string) =>
    sql`graphile_worker.reschedule_jobs(ARRAY[${id}::bigint], run_at => ${queueNowSql}, attempts => 0)`,
  cancel: (id: string) => sql`graphile_worker.complete_jobs(ARRAY[${id}::bigint])`,
} as const

/**
 * An owner has a job tried again at once, or takes it out of the queue; one that is running is left alone.
 * @throws DomainError changed_meanwhile when the job is gone or running
 */
export async function handleJob(
  database: Database,
  act: keyof typeof acts,
  { id, operatorId, from }: JobAction,
): Promise<void> {
  await database.$transaction(async (db) => {
    const [found] = await db.$queryRaw<Touched[]>(sql`
      SELECT task_identifier AS job, key, left(last_error, 500) AS "lastError" FROM graphile_worker.jobs
      WHERE id = ${id}::bigint AND locked_at IS NULL`)
    const touched = await db.$queryRaw<object[]>(
      sql`SELECT id::text FROM ${acts[act](id)} WHERE id IS NOT NULL`,
    )
    if (!found || touched.length === 0) throw new DomainError('changed_meanwhile')
    const subject = { type: 'job', id }
    await writeAudit(db, { operatorId, action: `job.${act}`, subject, before: found }, from)
  })
}
