import {
  ExportFormat,
  type ExportName,
  ExportRow,
  exportPermissions,
  isExport,
  MOST_OPEN_EXPORTS,
  mayOperator,
  type OperatorRole,
  type Words,
} from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { enqueueJobSql, jobPayloadSql } from '../jobs/job-table.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readPieces } from '../platform/sql/read-pieces.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { keptSinceSql } from '../platform/time/business-time.ts'

const { sql } = Prisma

const isOpen = sql`state IN ('waiting', 'running')`
const isKept = sql`(created_at >= ${keptSinceSql('export_jobs')} OR scheduled_until > business_now())`

/** Who looks: an owner sees everybody's files, anybody else their own and, of schedules, those of lists that they may take. */
export type Looker = { operatorId: string; isOwner: boolean; lists: readonly ExportName[] }

/** What this operator sees. */
export const lookerOf = ({ id, role }: { id: string; role: OperatorRole }): Looker => ({
  operatorId: id,
  isOwner: role === 'owner',
  lists: exportNames.filter((list) => mayOperator(role, exportPermissions[list])),
})

const exportNames = Object.keys(exportPermissions).filter(isExport)

const isShownTo = ({ operatorId, isOwner, lists }: Looker): Prisma.Sql =>
  sql`(${isOwner}::boolean OR operator_id = ${operatorId}::uuid OR (scheduled_until IS NOT NULL AND list = ANY(${[...lists]}::text[])))`

type Asked = {
  list: ExportName
  format: ExportFormat
  language: keyof Words
  query: object
  email: string
  expected: number
  /** The filter as the audit log keeps it. */
  filter: Record<string, string>
}

/**
 * Has a worker write the file.
 * @throws DomainError rate_limited while as many files as may be are waited for
 */
export const startExport = (pool: Pool, asked: Asked, { operatorId, from }: Actor): Promise<string> =>
  inTransaction(pool, async (client) => {
    // One after the other, so that each counts those before it.
    await execute(client, query('lock-exports', sql`SELECT pg_advisory_xact_lock(hashtext('export_jobs'))`))
    const { list, format, language, email, expected, filter } = asked
    const entry = {
      operatorId,
      action: 'export.start',
      subject: { type: 'list', id: list },
      after: { filter },
    }
    const payload = jobPayloadSql('write_export', { exportId: sql`started.id::text` })
    const [started] = await execute(
      client,
      query(
        'start-export',
        sql`
        WITH counted AS (
          SELECT count(*) AS everybody, count(*) FILTER (WHERE operator_id = ${operatorId}::uuid) AS own
          FROM export_jobs WHERE ${isOpen} AND ${isKept} AND scheduled_until IS NULL),
        started AS (
          INSERT INTO export_jobs (list, format, language, query, operator_id, email, expected)
          SELECT ${list}, ${format}, ${language}, ${JSON.stringify(asked.query)}::jsonb, ${operatorId}::uuid, ${email}, ${expected}::int
          FROM counted WHERE own < ${MOST_OPEN_EXPORTS.operator} AND everybody < ${MOST_OPEN_EXPORTS.everybody}
          RETURNING id),
        audited AS (${appendAuditSql(sql`started`, entry, from)})
        SELECT id::text AS id, ${enqueueJobSql('write_export', payload)}::text AS job FROM started`,
        { id: column.text, job: column.text },
      ),
    )
    if (!started) throw new DomainError('rate_limited')
    return started.id
  })

const rowSql = ({ operatorId }: Looker): Prisma.Sql => sql`
  id::text AS id, list, format, state, rows, expected, bytes, whole, email, operator_id = ${operatorId}::uuid AS "isOwn",
  created_at AS "createdAt", ended_at AS "endedAt", coalesce(scheduled_until, created_at + interval '24 hours') AS "keptUntil"`

/** An operator's own newest files as JSON, an expression: those that are written, kept or given up. */
export const ownFilesSql = (operatorId: string): Prisma.Sql => sql`(
  SELECT coalesce(json_agg(to_json(f)), '[]') FROM (
    SELECT id::text AS id, list, format, state FROM export_jobs
    WHERE operator_id = ${operatorId}::uuid AND ${isKept} AND scheduled_until IS NULL ORDER BY id DESC LIMIT 5) f)`

/** The newest files that are written or kept. */
export const listExports = (pool: Pool, looker: Looker): Promise<ExportRow[]> =>
  execute(
    pool,
    query(
      'list-exports',
      sql`SELECT ${rowSql(looker)} FROM export_jobs WHERE ${isShownTo(looker)} AND ${isKept} ORDER BY id DESC LIMIT 100`,
      columnsOf(ExportRow),
    ),
  )

/**
 * A file that is there to be taken.
 * @throws DomainError not_found for another's, for one that is not done, and after a day
 */
export async function findExport(
  pool: Pool,
  { id, ...looker }: Looker & { id: string },
): Promise<{ list: ExportName; format: ExportFormat }> {
  const [found] = await execute(
    pool,
    query(
      'find-export',
      sql`SELECT list, format FROM export_jobs WHERE id = ${id}::bigint AND state = 'done' AND ${isShownTo(looker)} AND ${isKept}`,
      { list: column.text, format: column.text },
    ),
  )
  if (!found || !isExport(found.list)) throw new DomainError('not_found')
  return { list: found.list, format: ExportFormat.parse(found.format) }
}

/** The bytes of a file, one piece at a time. */
export const readExport = (pool: Pool, id: string): AsyncGenerator<Buffer> =>
  readPieces(pool, (seq) => sql`FROM export_pieces WHERE job_id = ${id}::bigint AND seq = ${seq}::int`)

/**
 * Gives a file up, and what is written of it.
 * @throws DomainError not_found for another's, and for one that has ended
 */
export async function cancelExport(
  pool: Pool,
  { id, ...looker }: Looker & { id: string },
  actor: Actor,
): Promise<void> {
  const entry = { operatorId: actor.operatorId, action: 'export.cancel', subject: { type: 'export', id } }
  const gone = await execute(
    pool,
    query(
      'cancel-export',
      sql`
      WITH cancelled AS (
        UPDATE export_jobs SET state = 'cancelled', ended_at = business_now()
        WHERE id = ${id}::bigint AND ${isOpen} AND ${isShownTo(looker)} RETURNING id),
      emptied AS (DELETE FROM export_pieces WHERE job_id IN (SELECT id FROM cancelled)),
      audited AS (${appendAuditSql(sql`cancelled`, entry, actor.from)})
      SELECT id::text AS id FROM cancelled`,
      { id: column.text },
    ),
  )
  if (gone.length === 0) throw new DomainError('not_found')
}

/** Files whose day is over, at most so many at once. */
export const purgeExportsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM export_jobs WHERE id IN (
    SELECT id FROM export_jobs WHERE created_at < ${keptSinceSql('export_jobs')}
      AND (scheduled_until IS NULL OR scheduled_until <= business_now()) LIMIT ${limit})
  RETURNING 1 AS gone`
