import {
  type ExportFormat,
  isScheduledKind,
  MOST_EXPORT_SCHEDULES,
  type ScheduledKind,
  type Words,
} from '@meridian/contracts'
import { column, execute, nullable, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { appendAuditSql } from '../audit/write-audit.ts'
import { enqueueJobSql, jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { inTransaction } from '../platform/sql/transaction.ts'

const { sql } = Prisma

/** Whoever has it may take lists out: only then a schedule goes on without anybody who looks. */
export const mayScheduleSql = (operator: Prisma.Sql): Prisma.Sql =>
  sql`(${operator}.disabled_at IS NULL AND ${operator}.role IN ('finance', 'owner'))`

/** The instant from which on the file of a day is written. */
export const dueAtSql = (schedule: Prisma.Sql, day: Prisma.Sql): Prisma.Sql =>
  sql`(((${day} + 1)::timestamp + ${schedule}.hour * interval '1 hour') AT TIME ZONE 'Asia/Shanghai')`

const isActiveSql = (schedule: Prisma.Sql): Prisma.Sql =>
  sql`(${schedule}.paused_at IS NULL AND ${schedule}.removed_at IS NULL)`

/** A file that is whole and still there to be sent. */
const isKeptSql = (file: Prisma.Sql): Prisma.Sql =>
  sql`(${file}.state = 'done' AND ${file}.scheduled_until > business_now())`

/** Files of schedules that are written at once: a worker does four jobs, and what people wait for comes first. */
const MOST_AT_ONCE = 2
/**
 * How long a file of a schedule has its place, and may take: one is written in minutes, and the job of one that was not
 * is tried ten times in six hours, at ever longer pauses.
 */
const WRITTEN_WITHIN_HOURS = 6
/** Days that are made up for where no worker ran. */
const MOST_DAYS_BEHIND = 7

const isOverdueSql = (file: Prisma.Sql): Prisma.Sql =>
  sql`(${file}.created_at <= business_now() - ${WRITTEN_WITHIN_HOURS}::int * interval '1 hour')`

const dueColumns = {
  id: column.text,
  kind: column.text,
  format: column.text,
  language: column.text,
  day: column.text,
  operatorId: column.text,
  email: column.text,
  mayTakeOut: column.boolean,
}

export type DueExport = {
  id: string
  kind: ScheduledKind
  format: ExportFormat
  language: keyof Words
  day: string
  operatorId: string
  email: string
}

/** The list and the filter of one day, for the file and as the audit log keeps it. */
export type Asked = { list: string; query: object; filter: Record<string, string> }

const findDue = (client: PoolClient) =>
  execute(
    client,
    query(
      'find-due-exports',
      sql`
      SELECT s.id::text AS id, s.kind, s.format, s.language, s.next_day::text AS day, s.operator_id::text AS "operatorId", o.email,
        ${mayScheduleSql(sql`o`)} AS "mayTakeOut"
      FROM export_schedules s JOIN operators o ON o.id = s.operator_id
      WHERE ${isActiveSql(sql`s`)} AND ${dueAtSql(sql`s`, sql`s.next_day`)} <= business_now()
      ORDER BY ${mayScheduleSql(sql`o`)} DESC, s.next_day, s.hour, s.id
      LIMIT greatest(0, ${MOST_AT_ONCE} - (SELECT count(*) FROM export_jobs j
        WHERE j.state IN ('waiting', 'running') AND j.scheduled_until > business_now() AND NOT ${isOverdueSql(sql`j`)}))
      FOR UPDATE OF s SKIP LOCKED`,
      dueColumns,
    ),
  )

/** The day after it is next; where many were missed, the last week is made up for. */
const nextDaySql = sql`greatest(s.next_day + 1, (business_now() AT TIME ZONE 'Asia/Shanghai')::date - ${MOST_DAYS_BEHIND}::int)`

async function startOne(
  client: PoolClient,
  due: DueExport,
  { list, query: asked, filter }: Asked,
): Promise<void> {
  const entry = {
    operatorId: due.operatorId,
    action: 'export.start',
    subject: { type: 'list', id: list },
    after: { filter, schedule: due.id },
  }
  const from = { address: '', userAgent: '', requestId: `schedule-${due.id}` }
  const payload = jobPayloadSql('write_export', { exportId: sql`started.id::text` })
  await execute(
    client,
    query(
      'start-scheduled-export',
      sql`
      WITH moved AS (
        UPDATE export_schedules s SET next_day = ${nextDaySql} WHERE s.id = ${due.id}::uuid AND s.next_day = ${due.day}::date
        RETURNING s.id, s.keep_days),
      started AS (
        INSERT INTO export_jobs (list, format, language, query, operator_id, email, expected, scheduled_until)
        SELECT ${list}, ${due.format}, ${due.language}, ${JSON.stringify(asked)}::jsonb, ${due.operatorId}::uuid, ${due.email}, 0,
          business_now() + moved.keep_days * interval '24 hours' FROM moved RETURNING id),
      run AS (
        INSERT INTO export_runs (schedule_id, day, job_id) SELECT moved.id, ${due.day}::date, started.id FROM moved, started),
      audited AS (${appendAuditSql(sql`started`, entry, from)})
      SELECT ${enqueueJobSql('write_export', payload)}::text AS job FROM started`,
      { job: column.text },
    ),
  )
}

/** Who made it is gone: nothing is written, and after two days an alert tells. */
const standStill = (client: PoolClient, id: string) =>
  execute(
    client,
    query(
      'stop-export-of-gone-owner',
      sql`UPDATE export_schedules s SET failing_since = coalesce(s.failing_since, business_now()), next_day = ${nextDaySql}
        WHERE s.id = ${id}::uuid`,
    ),
  )

/** What ends with a file of a schedule, as parts `run` and `told` of the statement that ends it: `ended` has its id. */
export const endRunSql = (isWritten: boolean): Prisma.Sql => sql`
  run AS (
    UPDATE export_runs r SET error = CASE WHEN ${isWritten}::boolean THEN r.error ELSE 'not_written' END,
      delivered_at = CASE WHEN ${isWritten}::boolean AND s.bucket IS NULL THEN business_now() END
    FROM ended, export_schedules s WHERE r.job_id = ended.id AND s.id = r.schedule_id
    RETURNING r.schedule_id, r.day, s.bucket IS NOT NULL AS "isSent"),
  told AS (
    UPDATE export_schedules s SET failing_since = CASE WHEN ${isWritten}::boolean THEN NULL ELSE coalesce(s.failing_since, business_now()) END
    FROM run WHERE s.id = run.schedule_id AND NOT (${isWritten}::boolean AND run."isSent"))`

/** Files whose job nobody does to its end, at most twenty at once: they fail, for everybody to see. */
const endOverdue = (client: PoolClient) =>
  execute(
    client,
    query(
      'end-overdue-exports',
      sql`
      WITH ended AS (
        UPDATE export_jobs SET state = 'failed', whole = false, ended_at = business_now() WHERE id IN (
          SELECT j.id FROM export_jobs j WHERE j.state = 'running' AND j.scheduled_until > business_now() AND ${isOverdueSql(sql`j`)}
          ORDER BY j.id LIMIT ${MOST_EXPORT_SCHEDULES} FOR UPDATE SKIP LOCKED)
        RETURNING id),
      emptied AS (DELETE FROM export_pieces WHERE job_id IN (SELECT id FROM ended)),
      ${endRunSql(false)}
      SELECT id::text AS id FROM ended`,
      { id: column.text },
    ),
  )

/** Begins what is due, once for each schedule and day, however many ask: a file is written by a job of its own. */
export const startDueExports = (pool: Pool, askOf: (due: DueExport) => Asked): Promise<void> =>
  inTransaction(pool, async (client) => {
    await endOverdue(client)
    for (const { kind, format, language, mayTakeOut, ...due } of await findDue(client)) {
      if (!mayTakeOut || !isScheduledKind(kind)) await standStill(client, due.id)
      else {
        const one: DueExport = {
          ...due,
          kind,
          format: format === 'xlsx' ? 'xlsx' : 'csv',
          language: language === 'en' ? 'en' : 'zh',
        }
        await startOne(client, one, askOf(one))
      }
    }
  })

type Sending = { scheduleId: Prisma.Sql; day: Prisma.Sql; runAt?: Prisma.Sql }

/** The job that sends the file of one day where it should be, once however often it is asked for: text both. */
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
