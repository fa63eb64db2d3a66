import {
  type ExportFormat,
  isScheduledKind,
  MOST_EXPORT_SCHEDULES,
  type ScheduledKind,
  type Words,
} from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { appendAuditSql } from '../audit/write-audit.ts'
import { enqueueJobSql, jobPayloadSql } from '../jobs/job-table.ts'
import { inTransaction } from '../platform/sql/transaction.ts'

const { sql } = Prisma

/** Whoever has it may take lists out: only then a schedule goes on without anybody who looks. */
export const mayScheduleSql = (operator: Prisma.Sql): Prisma.Sql =>
  sql`(${operator}.disabled_at IS NULL AND ${operator}.role IN ('finance', 'owner'))`

/** The instant from which on the file of a day is written. */
export const dueAtSql = (schedule: Prisma.Sql, day: Prisma.Sql): Prisma.Sql =>
  sql`(((${day} + 1)::timestamp + ${schedule}.hour * interval '1 hour') AT TIME ZONE 'Asia/Shanghai')`

export const isActiveSql = (schedule: Prisma.Sql): Prisma.Sql =>
  sql`(${schedule}.paused_at IS NULL AND ${schedule}.removed_at IS NULL)`

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
