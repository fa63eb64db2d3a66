import { column, execute, nullable, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { enqueueJobSql, jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { isActiveSql, mayScheduleSql } from './export-runs.ts'

const { sql } = Prisma

/** A file that is whole and still there to be sent. */
const isKeptSql = (file: Prisma.Sql): Prisma.Sql =>
  sql`(${file}.state = 'done' AND ${file}.scheduled_until > business_now())`

type Sending = { scheduleId: Prisma.Sql; day: Prisma.Sql; runAt?: Prisma.Sql }

/** The job that sends the file of one day to its store, queued once however often it is asked for. Both expressions are text. */
const sendJobSql = ({ scheduleId, day, ...timing }: Sending): Prisma.Sql =>
  enqueueJobSql('deliver_export', jobPayloadSql('deliver_export', { scheduleId, day }), {
    ...timing,
    key: jobKeySql('deliver_export', sql`${scheduleId} || ':' || ${day}`),
  })

/** The same for a file of the part `run`. */
export const sendRunSql = (isWritten: boolean): Prisma.Sql => sql`
  SELECT ${sendJobSql({ scheduleId: sql`run.schedule_id::text`, day: sql`run.day::text` })}::text AS job
  FROM run WHERE run."isSent" AND ${isWritten}::boolean`

/** Sends what was written and not yet sent when the schedule stood still: a file for each day, while it is kept. */
export const sendWaiting = (client: PoolClient, scheduleId: string) =>
  execute(
    client,
    query(
      'send-waiting-exports',
      sql`
      SELECT ${sendJobSql({ scheduleId: sql`r.schedule_id::text`, day: sql`r.day::text` })}::text AS job
      FROM export_runs r JOIN export_schedules s ON s.id = r.schedule_id JOIN export_jobs j ON j.id = r.job_id
      WHERE s.id = ${scheduleId}::uuid AND s.bucket IS NOT NULL AND r.delivered_at IS NULL AND ${isKeptSql(sql`j`)}`,
      { job: column.text },
    ),
  )

const sendingColumns = {
  kind: column.text,
  format: column.text,
  exportId: column.text,
  attempts: column.integer,
  endpoint: column.text,
  region: column.text,
  bucket: column.text,
  prefix: column.text,
  pathStyle: column.boolean,
  accessKeyId: column.text,
  sealedSecret: column.bytes,
}

export type RunReference = { scheduleId: string; day: string }

/** A file that is written and not yet where it should be; null for any other. */
export async function findSending(pool: Pool, { scheduleId, day }: RunReference) {
  const [found] = await execute(
    pool,
    query(
      'find-export-to-send',
      sql`
      SELECT s.kind, s.format, j.id::text AS "exportId", r.attempts, s.endpoint, s.region, s.bucket, s.prefix, s.path_style AS "pathStyle",
        s.access_key_id AS "accessKeyId", s.sealed_secret AS "sealedSecret"
      FROM export_runs r JOIN export_schedules s ON s.id = r.schedule_id JOIN export_jobs j ON j.id = r.job_id
        JOIN operators o ON o.id = s.operator_id
      WHERE r.schedule_id = ${scheduleId}::uuid AND r.day = ${day}::date AND r.delivered_at IS NULL AND ${isKeptSql(sql`j`)}
        AND s.bucket IS NOT NULL AND ${isActiveSql(sql`s`)} AND ${mayScheduleSql(sql`o`)}`,
      sendingColumns,
    ),
  )
  return found ?? null
}

/**
 * The file is there: what failed before is over, unless a file of another day is kept and still fails. The own day is left
 * out by name: the parts of a statement do not see what one another changed.
 */
export const recordDelivery = (pool: Pool, { scheduleId, day }: RunReference): Promise<unknown> =>
  execute(
    pool,
    query(
      'record-export-delivery',
      sql`
      WITH sent AS (
        UPDATE export_runs SET delivered_at = business_now(), attempts = attempts + 1, error = NULL
        WHERE schedule_id = ${scheduleId}::uuid AND day = ${day}::date AND delivered_at IS NULL
        RETURNING schedule_id, day)
      UPDATE export_schedules s SET failing_since = NULL FROM sent
      WHERE s.id = sent.schedule_id AND NOT EXISTS (
        SELECT 1 FROM export_runs r JOIN export_jobs j ON j.id = r.job_id
        WHERE r.schedule_id = s.id AND r.day <> sent.day AND r.delivered_at IS NULL AND r.error IS NOT NULL AND ${isKeptSql(sql`j`)})`,
    ),
  )

/** Minutes between tries; the last one again and again, for as long as the file is kept. */
const PAUSES = [1, 5, 15, 30, 60, 120]

/** It could not be sent: says why, and asks for another try while the file is kept. */
export async function recordFailure(
  pool: Pool,
  { scheduleId, day, attempts, error }: RunReference & { attempts: number; error: string },
): Promise<void> {
  const pause = PAUSES[Math.min(attempts, PAUSES.length - 1)] ?? 120
  const runAt = sql`business_now() + ${pause}::int * interval '1 minute'`
  await execute(
    pool,
    query(
      'record-export-failure',
      sql`
      WITH failed AS (
        UPDATE export_runs SET attempts = attempts + 1, error = ${error}
        WHERE schedule_id = ${scheduleId}::uuid AND day = ${day}::date AND delivered_at IS NULL AND attempts = ${attempts}::int
        RETURNING schedule_id, job_id),
      told AS (
        UPDATE export_schedules s SET failing_since = coalesce(s.failing_since, business_now()) FROM failed WHERE s.id = failed.schedule_id)
      SELECT ${sendJobSql({ scheduleId: sql`${scheduleId}::text`, day: sql`${day}::text`, runAt })}::text AS job
      FROM failed JOIN export_jobs j ON j.id = failed.job_id WHERE ${isKeptSql(sql`j`)}`,
      { job: nullable(column.text) },
    ),
  )
}
