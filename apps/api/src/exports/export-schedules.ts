import {
  type ExportScheduleRow,
  MOST_EXPORT_SCHEDULES,
  type NewExportSchedule,
  ExportScheduleRow as Row,
} from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { type Actor, type AuditEntry, appendAuditSql } from '../audit/write-audit.ts'
import type { SealedColumn } from '../platform/crypto/data-keys.ts'
import { type Secrets, seal } from '../platform/crypto/seal.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newId } from '../platform/ids/new-id.ts'
import { addressProblem, type Reach } from '../platform/network/reachable.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { requireRoom } from '../platform/sql/require-room.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { dueAtSql, mayScheduleSql } from './export-runs.ts'
import { sendWaiting } from './send-runs.ts'
import { objectUrl } from './store-address.ts'

const { sql } = Prisma

/** What the secret of a store is sealed with. */
export const aboutSecret = (id: string) => `export-schedule:${id}`

/** The secrets of stores that files are sent to. */
export const sealedStoreSecrets: SealedColumn = {
  what: 'secrets of scheduled exports',
  sourceSql: sql`SELECT id::text AS id, sealed_secret AS sealed FROM export_schedules WHERE sealed_secret IS NOT NULL`,
  about: aboutSecret,
  replaceSql: ({ id, before, after }) => sql`
    UPDATE export_schedules SET sealed_secret = ${after} WHERE id = ${id}::uuid AND sealed_secret = ${before}`,
}

const runSql = sql`(
  SELECT json_build_object('day', r.day::text, 'exportId', CASE WHEN j.scheduled_until > business_now() THEN j.id::text END,
    'state', j.state, 'delivered', r.delivered_at IS NOT NULL, 'attempts', r.attempts, 'error', r.error)
  FROM export_runs r LEFT JOIN export_jobs j ON j.id = r.job_id WHERE r.schedule_id = s.id ORDER BY r.day DESC LIMIT 1)`

/** Every schedule that was not removed, with how its last file went. */
export const listSchedules = (pool: Pool): Promise<ExportScheduleRow[]> =>
  execute(
    pool,
    query(
      'list-export-schedules',
      sql`
      SELECT s.id::text AS id, s.kind, s.format, s.hour, s.keep_days AS "keepDays", CASE WHEN s.bucket IS NULL THEN 'download' ELSE 's3' END AS target,
        s.bucket || '/' || s.prefix || ' @ ' || regexp_replace(s.endpoint, '^https?://', '') AS place, o.email,
        NOT ${mayScheduleSql(sql`o`)} AS "ownerGone", s.paused_at IS NOT NULL AS paused, s.failing_since AS "failingSince",
        ${dueAtSql(sql`s`, sql`s.next_day`)} AS "nextAt", ${runSql} AS last
      FROM export_schedules s JOIN operators o ON o.id = s.operator_id
      WHERE s.removed_at IS NULL ORDER BY s.created_at, s.id LIMIT ${MOST_EXPORT_SCHEDULES}`,
      columnsOf(Row),
    ),
  )

type Change = Pick<AuditEntry, 'action' | 'after'> & { id: string }

const record = (client: PoolClient, { id, ...change }: Change, { operatorId, from }: Actor) =>
  execute(
    client,
    query(
      'audit-export-schedule',
      appendAuditSql(
        sql`(SELECT 1) done`,
        { operatorId, subject: { type: 'export_schedule', id }, ...change },
        from,
      ),
    ),
  )

const refusal = (path: string, zh: string, en: string) =>
  new DomainError('invalid_request', { errors: [{ path, message: { zh, en } }] })

/** The day before the next time that its hour comes: a new schedule looks ahead. */
const firstDaySql = (hour: Prisma.Sql): Prisma.Sql =>
  sql`((business_now() AT TIME ZONE 'Asia/Shanghai' - ${hour} * interval '1 hour')::date)`

const room = {
  name: 'export schedules',
  countSql: sql`export_schedules WHERE removed_at IS NULL`,
  most: MOST_EXPORT_SCHEDULES,
  refusal: () =>
    refusal(
      'kind',
      `已有 ${MOST_EXPORT_SCHEDULES} 个定时导出，请先删除不再需要的`,
      `there are ${MOST_EXPORT_SCHEDULES} already: remove what is not needed`,
    ),
}

type Guard = { dataKeys: Secrets; reach: Reach; language: 'zh' | 'en' }

/**
 * A file for every day from the next time that its hour comes.
 * @throws DomainError invalid_request for a store that lies inside, and beyond as many as may be
 */
export async function createSchedule(
  pool: Pool,
  { dataKeys, reach, language, ...wanted }: NewExportSchedule & Guard,
  actor: Actor,
): Promise<{ id: string }> {
  const { kind, format, hour, keepDays, s3 } = wanted
  if (s3 && addressProblem(objectUrl(s3, 'x'), reach) !== null)
    throw refusal('s3.endpoint', '必须是公网的 https 地址', 'must be a public https address')
  const id = newId()
  const sealed = s3 && seal(dataKeys, aboutSecret(id), Buffer.from(s3.secretAccessKey))
  await inTransaction(pool, async (client) => {
    await requireRoom(client, room)
    await execute(
      client,
      query(
        'create-export-schedule',
        sql`
        INSERT INTO export_schedules (id, kind, format, language, hour, keep_days, endpoint, region, bucket, prefix, path_style,
          access_key_id, sealed_secret, operator_id, next_day)
        SELECT ${id}::uuid, ${kind}, ${format}, ${language}, ${hour}::int, ${keepDays}::int, ${s3?.endpoint ?? null}::text,
          ${s3?.region ?? null}::text, ${s3?.bucket ?? null}::text, ${s3?.prefix ?? null}::text, ${s3?.pathStyle ?? null}::boolean,
          ${s3?.accessKeyId ?? null}::text, ${sealed}::bytea, ${actor.operatorId}::uuid, ${firstDaySql(sql`${hour}::int`)}`,
      ),
    )
    const place = s3 && { endpoint: s3.endpoint, bucket: s3.bucket, prefix: s3.prefix }
    const after = { kind, format, hour, keepDays, ...(place && { s3: place }) }
    await record(client, { id, action: 'export_schedule.create', after }, actor)
  })
  return { id }
}

type Reference = { id: string }

/** @throws DomainError not_found for one that was removed, or that is so already */
const change =
  (
    action: string,
    statementOf: (actor: Actor) => { set: Prisma.Sql; where: Prisma.Sql },
    andThen?: (client: PoolClient, id: string) => Promise<unknown>,
  ) =>
  async (pool: Pool, { id }: Reference, actor: Actor): Promise<void> => {
    const { set, where } = statementOf(actor)
    await inTransaction(pool, async (client) => {
      const changed = await execute(
        client,
        query(
          action.replaceAll(/[._]/g, '-'),
          sql`UPDATE export_schedules s SET ${set} WHERE s.id = ${id}::uuid AND s.removed_at IS NULL AND ${where} RETURNING s.id::text AS id`,
          { id: column.text },
        ),
      )
      if (changed.length === 0) throw new DomainError('not_found')
      await andThen?.(client, id)
      await record(client, { id, action }, actor)
    })
  }

/** Nothing is written, and nothing that waits is sent, until it goes on. */
export const pauseSchedule = change('export_schedule.pause', () => ({
  set: sql`paused_at = business_now(), failing_since = NULL`,
  where: sql`s.paused_at IS NULL`,
}))

/** It goes on with the next time that its hour comes, sends what waits, and belongs to whoever says so. */
export const resumeSchedule = change(
  'export_schedule.resume',
  ({ operatorId }) => ({
    set: sql`paused_at = NULL, failing_since = NULL, operator_id = ${operatorId}::uuid, next_day = greatest(s.next_day, ${firstDaySql(sql`s.hour`)})`,
    where: sql`(s.paused_at IS NOT NULL OR s.operator_id <> ${operatorId}::uuid)`,
  }),
  sendWaiting,
)

/** It ends, and its secret with it; files that are written stay for as long as they are kept. */
export const removeSchedule = change('export_schedule.remove', () => ({
  set: sql`removed_at = business_now(), failing_since = NULL, endpoint = NULL, region = NULL, bucket = NULL, prefix = NULL,
    path_style = NULL, access_key_id = NULL, sealed_secret = NULL`,
  where: sql`true`,
}))
