import {
  AuditEntry,
  type AuditFilter,
  type AuditListQuery,
  AuditRow,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { byAge, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql, withinSql } from '../platform/sql/conditions.ts'

const { sql } = Prisma

const auditEntryColumns = columnsOf(AuditEntry)

/** Whose acts may be read: everybody's, or one operator's own. */
export type AuditScope = { onlyOperatorId: string | null }

const { newest } = byAge({ key: instantColumn(sql`a.at`), id: serialColumn(sql`a.id`) })

const columns = sql`
  a.id::text AS id, a.at, a.operator_id AS "operatorId", o.email AS "operatorEmail", o.role AS "operatorRole",
  a.action, a.subject_type AS "subjectType", a.subject_id AS "subjectId", a.address, a.request_id AS "requestId"`

function conditions(filter: AuditFilter, { onlyOperatorId }: AuditScope): Prisma.Sql {
  const { operator, action, search, from, to } = filter
  return allOfSql(
    onlyOperatorId !== null && sql`operator_id = ${onlyOperatorId}::uuid`,
    operator && sql`operator_id = (SELECT id FROM operators WHERE email = ${operator.toLowerCase()})`,
    action && sql`action = ${action}`,
    search && sql`(subject_id = ${search} OR request_id = ${search})`,
    ...withinSql(sql`at`, { from, to }),
  )
}

/** One page of what operators did, the newest first. */
export const listAudit = (
  pool: Pool,
  query: AuditListQuery,
  scope: AuditScope,
): Promise<TwoWayPage<AuditRow>> =>
  readPage(
    pool,
    { sort: newest, asked: query, columns: columnsOf(AuditRow) },
    ({ position, page, orderBy }) => sql`
      WITH page AS (SELECT * FROM audit_entries a WHERE ${conditions(query, scope)} AND ${page})
      SELECT ${columns}, ${position} FROM page a JOIN operators o ON o.id = a.operator_id ORDER BY ${orderBy}`,
  )

/** How many acts the filters leave. */
export const countAudit = (pool: Pool, filter: AuditFilter, scope: AuditScope): Promise<RowCount> =>
  countRows(pool, sql`audit_entries WHERE ${conditions(filter, scope)}`)

/**
 * One act with what it changed.
 * @throws DomainError not_found, also for somebody else's act where only one's own may be read
 */
export async function showAudit(pool: Pool, id: string, { onlyOperatorId }: AuditScope): Promise<AuditEntry> {
  const [entry] = await execute(
    pool,
    query(
      null,
      sql`SELECT ${columns}, a.before, a.after FROM audit_entries a JOIN operators o ON o.id = a.operator_id
      WHERE a.id = ${id}::bigint
        AND (${onlyOperatorId}::uuid IS NULL OR a.operator_id = ${onlyOperatorId}::uuid)`,
      auditEntryColumns,
    ),
  )
  if (!entry) throw new DomainError('not_found')
  return entry
}

/** Every kind of act there is, found by hopping over the index instead of reading it. */
export async function listActions(pool: Pool): Promise<string[]> {
  const rows = await execute(
    pool,
    query(
      null,
      sql`
      WITH RECURSIVE kinds AS (
        (SELECT action FROM audit_entries ORDER BY action LIMIT 1)
        UNION ALL
        SELECT (SELECT action FROM audit_entries WHERE action > kinds.action ORDER BY action LIMIT 1)
          FROM kinds WHERE kinds.action IS NOT NULL)
      SELECT action FROM kinds WHERE action IS NOT NULL`,
      { action: column.text },
    ),
  )
  return rows.map(({ action }) => action)
}
