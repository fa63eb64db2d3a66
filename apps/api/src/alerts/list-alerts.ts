import {
  type AlertFilter,
  type AlertListQuery,
  AlertRow,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { countRows } from '../platform/paging/count-tabs.ts'
import { keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/run-limited.ts'

const { sql } = Prisma

const emailOf = (id: Prisma.Sql) => sql`(SELECT email FROM operators WHERE operators.id = ${id})`

/** The columns of a row, of the table `alerts`. */
export const alertColumnsSql = sql`
  id::text, kind, subject, substring(subject FROM 'M[0-9A-Z]{26}') AS "outTradeNo",
  substring(subject FROM 'R[0-9A-Z]{26}') AS "outRefundNo", detail, times, opened_at AS "openedAt",
  last_at AS "lastAt", ${emailOf(sql`owner_id`)} AS "ownerEmail", ${emailOf(sql`resolved_by`)} AS "resolvedByEmail",
  resolution, resolved_at AS "resolvedAt"`

const byOpening = { column: sql`opened_at`, type: sql`timestamptz`, Key: InstantKey, id: sql`alerts.id` }

const listed = columnsOf(AlertRow.extend({ sortKey: z.string() }))
type Read = RowOf<typeof listed>
const toRow = ({ sortKey: _, ...row }: Read): AlertRow => row

const conditions = ({ state, kind }: AlertFilter): Prisma.Sql => sql`
  ${state === 'open' ? sql`resolved_at IS NULL` : sql`resolved_at IS NOT NULL`}
  AND ${kind ? sql`kind = ${kind}` : sql`TRUE`}`

export const alertsFromSql = (filter: AlertFilter): Prisma.Sql =>
  sql`alerts WHERE ${conditions(filter)} ORDER BY opened_at, id`

/** How many alerts the filters leave: exact up to 10,000. */
export const countAlerts = (pool: Pool, filter: AlertFilter): Promise<RowCount> =>
  countRows(pool, alertsFromSql(filter))

/** One page of alerts: open ones oldest first, because they wait; resolved ones newest first. */
export async function listAlerts(pool: Pool, query: AlertListQuery): Promise<TwoWayPage<AlertRow>> {
  const { limit, cursor: text } = query
  const open = query.state === 'open'
  const { cursor, beyond, orderBy } = keysetOf({ ...byOpening, descending: !open }, text)
  const rows = await readLimited(
    pool,
    sql`
      SELECT ${alertColumnsSql}, opened_at::text AS "sortKey"
      FROM alerts
      WHERE ${conditions(query)} AND ${beyond}
      ORDER BY ${orderBy} LIMIT ${limit + 1}`,
    listed,
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, row.id])
  return { ...page, items: page.items.map(toRow) }
}
