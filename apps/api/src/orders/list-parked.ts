import { type ParkedListQuery, ParkedRow, type RowCount, type TwoWayPage } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { byAge, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { isUngrantedSql, leftAsIs } from './park-order.ts'

const { sql } = Prisma

const { oldest } = byAge({ key: instantColumn(sql`o.created_at`), id: serialColumn(sql`o.id`) })

/** The order `o` waits for a decision; or somebody decided to leave it as it is. */
export const isParkedSql = ({ left }: { left: boolean }): Prisma.Sql =>
  sql`o.parked AND (o.park_reason = ${leftAsIs}) = ${left}`

export const parkedFromSql = (parked: { left: boolean }): Prisma.Sql =>
  sql`orders o WHERE ${isParkedSql(parked)} ORDER BY o.created_at, o.id`

/** How many orders wait, or were left: exact up to 10,000. */
export const countParkedOrders = (pool: Pool, parked: { left: boolean }): Promise<RowCount> =>
  countRows(pool, parkedFromSql(parked))

/** Orders that wait for a decision, oldest first; or those that somebody decided to leave as they are. */
export const listParkedOrders = (pool: Pool, query: ParkedListQuery): Promise<TwoWayPage<ParkedRow>> =>
  readPage(
    pool,
    { sort: oldest, asked: query, columns: columnsOf(ParkedRow) },
    ({ position, page }) => sql`
      SELECT o.out_trade_no AS "outTradeNo", o.status, o.plan_name AS "planName", o.duration_days AS "durationDays",
        o.amount_fen AS "amountFen", o.user_id AS "userId", o.park_reason AS "parkReason", o.late,
        NOT ${isUngrantedSql} AS granted, o.created_at AS "createdAt", o.paid_at AS "paidAt", ${position}
      FROM orders o WHERE ${isParkedSql(query)} AND ${page}`,
  )
