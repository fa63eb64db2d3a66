import { type Database, Prisma } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { queueNowSql } from './queue-time.ts'

const { sql } = Prisma

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
