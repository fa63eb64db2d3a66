import { effect, type Part, Prisma, type Reading } from '@meridian/db'
import type { JobName, JobPayloadSql } from './job-table.ts'
import { queueNowSql, queueTimeSql } from './queue-time.ts'

/** `runAt` is an instant of the business. */
type Timing = { runAt?: Prisma.Sql; key?: Prisma.Sql }

/**
 * An SQL expression that enqueues a job inside the statement it is part of, so that what must follow a commit is
 * a row of that commit.
 */
export const enqueueJobSql = <Name extends JobName>(
  job: Name,
  payload: JobPayloadSql<Name>,
  { runAt, key }: Timing = {},
): Prisma.Sql =>
  Prisma.sql`(graphile_worker.add_job(${job}, ${payload.json}, run_at => ${runAt ? queueTimeSql(runAt) : queueNowSql}, job_key => ${key ?? Prisma.sql`NULL`})).id`

type Queued<Job extends JobName> = Timing & { job: Job; payload: JobPayloadSql<Job> }

/** The same as a part of a statement: one job for each row of `source`, whose columns payload, time and key may read. */
export const enqueueJobPart = <const Name extends string, Reads extends string, Job extends JobName>(
  name: Name,
  source: Reading<Reads>,
  { job, payload, ...timing }: Queued<Job>,
): Part<Name, Reads> =>
  effect(name, source.reads, Prisma.sql`SELECT ${enqueueJobSql(job, payload, timing)} FROM ${source.sql}`)
