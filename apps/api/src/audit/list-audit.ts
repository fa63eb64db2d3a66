import {
  AuditEntry,
  type AuditFilter,
  type AuditListQuery,
  AuditRow,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { countRows } from '../platform/paging/count-tabs.ts'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/run-limited.ts'

const auditEntryColumns = columnsOf(AuditEntry)

const { sql } = Prisma

/** Whose acts may be read: everybody's, or one operator's own. */
export type AuditScope = { onlyOperatorId: string | null }

const newestFirst: KeysetSort = {
  column: sql`at`,
  type: sql`timestamptz`,
  Key: InstantKey,
  descending: true,
}

const columns = sql`
  a.id::text AS id, a.at, a.operator_id AS "operatorId", o.email AS "operatorEmail", o.role AS "operatorRole",
  a.action, a.subject_type AS "subjectType", a.subject_id AS "subjectId", a.address, a.request_id AS "requestId"`

function conditions(filter: AuditFilter, { onlyOperatorId }: AuditScope): Prisma.Sql {
  const { operator, action, search, from, to } = filter
  const list = [
    onlyOperatorId === null ? sql`TRUE` : sql`operator_id = ${onlyOperatorId}::uuid`,
    ...(operator
      ? [sql`operator_id = (SELECT id FROM operators WHERE email = ${operator.toLowerCase()})`]
      : []),
    ...(action ? [sql`action = ${action}`] : []),
    ...(search ? [sql`(subject_id = ${search} OR request_id = ${search})`] : []),
    ...(from ? [sql`at >= ${from}`] : []),
    ...(to ? [sql`at < ${to}`] : []),
  ]
  return Prisma.join(list, ' AND ')
}

const listed = columnsOf(AuditRow.extend({ sortKey: z.string() }))
type Read = RowOf<typeof listed>
const toRow = ({ sortKey: _, ...row }: Read): AuditRow => row

/** One page of what operators did, the newest first, at the same cost at any depth. */
export async function listAudit(
  pool: Pool,
  query: AuditListQuery,
  scope: AuditScope,
): Promise<TwoWayPage<AuditRow>> {
  const { limit, cursor: text, ...filter } = query
  const { cursor, beyond, orderBy } = keysetOf(newestFirst, text)
  const rows = await readLimited(
    pool,
    sql`
      WITH page AS (
        SELECT * FROM audit_entries
        WHERE ${conditions(filter, scope)} AND ${beyond} ORDER BY ${orderBy} LIMIT ${limit + 1})
      SELECT ${columns}, a.at::text AS "sortKey"
        FROM (SELECT *, row_number() OVER (ORDER BY ${orderBy}) AS place FROM page) a
        JOIN operators o ON o.id = a.operator_id ORDER BY place`,
    listed,
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, row.id])
  return { ...page, items: page.items.map(toRow) }
}

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
