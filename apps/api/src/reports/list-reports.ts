import {
  type ReportFilter,
  type ReportListQuery,
  ReportRow,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { z } from 'zod'
import { countRows } from '../platform/paging/count-tabs.ts'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey, UuidId } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/run-limited.ts'

const { sql } = Prisma

const listed = columnsOf(ReportRow.extend({ sortKey: z.string() }))
const byStart = {
  column: sql`started_at`,
  type: sql`timestamptz`,
  Key: InstantKey,
  idType: sql`uuid`,
  Id: UuidId,
}
const sorts = {
  newest: { ...byStart, descending: true },
  oldest: { ...byStart, descending: false },
} as const satisfies Record<ReportListQuery['sort'], KeysetSort>

const rowColumns = sql`
  id, kind, user_id AS "userId", serial_number AS "serialNumber", program_code AS "programCode",
  started_at AS "startedAt", ended_at AS "endedAt", score, created_at AS "createdAt"`

const isUser = (text: string) => UuidId.safeParse(text).success

function conditions({ kind, from, to, search }: ReportFilter): Prisma.Sql {
  const list = [
    sql`TRUE`,
    ...(kind ? [sql`kind = ${kind}::report_kind`] : []),
    ...(from ? [sql`started_at >= ${from}`] : []),
    ...(to ? [sql`started_at < ${to}`] : []),
    ...(search
      ? [isUser(search) ? sql`user_id = ${search}::uuid` : sql`serial_number = ${search.toUpperCase()}`]
      : []),
  ]
  return Prisma.join(list, ' AND ')
}

/** One page of everybody's reports, without what they say of anybody's body. */
export async function listReports(pool: Pool, query: ReportListQuery): Promise<TwoWayPage<ReportRow>> {
  const { sort, limit, cursor: text, ...filter } = query
  const { cursor, beyond, orderBy } = keysetOf(sorts[sort], text)
  const rows = await readLimited(
    pool,
    sql`SELECT ${rowColumns}, started_at::text AS "sortKey" FROM reports
      WHERE ${conditions(filter)} AND ${beyond} ORDER BY ${orderBy} LIMIT ${limit + 1}`,
    listed,
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, row.id])
  return { ...page, items: page.items.map(({ sortKey: _sortKey, ...row }) => row) }
}

/** How many the filters leave: exact up to 10,000. */
export const countReports = (pool: Pool, filter: ReportFilter): Promise<RowCount> =>
  countRows(pool, sql`reports WHERE ${conditions(filter)}`)
