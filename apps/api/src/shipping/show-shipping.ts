import {
  FrozenFen,
  type RowCount,
  type ShipmentListQuery,
  type TwoWayPage,
  WaitingShipment,
} from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { byAge, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'
import { isShippingOnSql } from './queue-shipping.ts'

const { sql } = Prisma

const { oldest } = byAge({ key: instantColumn(sql`o.paid_at`), id: serialColumn(sql`o.id`) })

/** An order `o` still to be told, with what became of its upload `u`. */
function waitingSql({ state }: ShipmentListQuery): Prisma.Sql {
  const waiting = state ? sql`u.state = ${state}::shipping_state` : sql`u.state IN ('pending', 'failed')`
  return sql`shipping_uploads u JOIN orders o ON o.id = u.order_id WHERE ${waiting} AND o.status = 'paid'`
}

/** How many of them the filter leaves: exact up to 10,000. */
export const countWaitingShipments = (pool: Pool, filter: ShipmentListQuery): Promise<RowCount> =>
  countRows(pool, waitingSql(filter))

/** Orders still to be told, those paid longest ago first. */
export const listWaitingShipments = (
  pool: Pool,
  asked: ShipmentListQuery,
  names: NameView,
): Promise<TwoWayPage<WaitingShipment>> =>
  readPage(
    pool,
    { sort: oldest, asked, columns: columnsOf(WaitingShipment), isShort: true },
    ({ position, page }) => sql`
      SELECT o.out_trade_no AS "outTradeNo", o.user_id AS "userId",
        ${nicknameOfSql(sql`o.user_id`, names)} AS customer, o.amount_fen AS "amountFen", o.refunded_fen AS "refundedFen",
        o.paid_at AS "paidAt", u.state, u.attempts, u.last_code AS "lastCode", ${position}
      FROM ${waitingSql(asked)} AND ${page}`,
  )

const sumColumns = columnsOf(
  FrozenFen.omit({ oldest: true }).extend({ outTradeNo: z.string().nullable(), paidAt: z.date().nullable() }),
)

/** The sum over paid orders whose information is not uploaded, and the oldest of them; not known while the setting is off. */
export async function frozenFen(pool: Pool): Promise<FrozenFen> {
  const [row] = await execute(
    pool,
    query(
      'frozen-fen',
      Prisma.sql`
      WITH waiting AS (
        SELECT o.out_trade_no, o.paid_at, o.amount_fen - o.refunded_fen AS fen, u.state
        FROM shipping_uploads u JOIN orders o ON o.id = u.order_id
        WHERE u.state IN ('pending', 'failed') AND o.status = 'paid' AND ${isShippingOnSql})
      SELECT ${isShippingOnSql} AS "on", coalesce(sum(fen), 0)::float8 AS "frozenFen", count(*)::int AS orders,
        count(*) FILTER (WHERE state = 'failed')::int AS failed, min(paid_at) AS "paidAt",
        (SELECT out_trade_no FROM waiting ORDER BY paid_at, out_trade_no LIMIT 1) AS "outTradeNo"
      FROM waiting`,
      sumColumns,
    ),
  )
  if (!row) throw new Error('a sum without a row')
  const { outTradeNo, paidAt, ...sums } = row
  return { ...sums, oldest: outTradeNo && paidAt ? { outTradeNo, paidAt } : null }
}
