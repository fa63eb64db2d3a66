import { type ParkedListQuery, ParkedRow, type RowCount, type TwoWayPage } from '@meridian/contracts'
import { type Pool, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { countRows } from '../platform/paging/count-tabs.ts'
import { keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/run-limited.ts'
import { isUngrantedSql, leftAsIs } from './unpark-order.ts'

const { sql } = Prisma

const byAge = { column: sql`o.created_at`, type: sql`timestamptz`, Key: InstantKey, id: sql`o.id` }

const listed = columnsOf(ParkedRow.extend({ serial: z.bigint(), sortKey: z.string() }))
type Read = RowOf<typeof listed>
const toRow = ({ serial: _serial, sortKey: _sortKey, ...row }: Read): ParkedRow => row

/** The order `o` waits for a decision; or somebody decided to leave it as it is. */
export const isParkedSql = ({ left }: { left: boolean }): Prisma.Sql =>
  sql`o.parked AND (o.park_reason = ${leftAsIs}) = ${left}`

export const parkedFromSql = (parked: { left: boolean }): Prisma.Sql =>
  sql`orders o WHERE ${isParkedSql(parked)} ORDER BY o.created_at, o.id`

/** How many orders wait, or were left: exact up to 10,000. */
export const countParkedOrders = (pool: Pool, parked: { left: boolean }): Promise<RowCount> =>
  countRows(pool, parkedFromSql(parked))

/** Orders that wait for a decision, oldest first; or those that somebody decided to leave as they are. */
export async function listParkedOrders(pool: Pool, query: ParkedListQuery): Promise<TwoWayPage<ParkedRow>> {
  const { left, limit, cursor: text } = query
  const { cursor, beyond, orderBy } = keysetOf({ ...byAge, descending: false }, text)
  const rows = await readLimited(
    pool,
    sql`
      SELECT o.out_trade_no AS "outTradeNo", o.status, o.plan_name AS "planName", o.duration_days AS "durationDays",
        o.amount_fen AS "amountFen", o.user_id AS "userId", o.park_reason AS "parkReason", o.late,
        NOT ${isUngrantedSql} AS granted, o.created_at AS "createdAt", o.paid_at AS "paidAt", o.id AS serial,
        o.created_at::text AS "sortKey"
      FROM orders o WHERE ${isParkedSql({ left })} AND ${beyond}
      ORDER BY ${orderBy} LIMIT ${limit + 1}`,
    listed,
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, String(row.serial)])
  return { ...page, items: page.items.map(toRow) }
}
