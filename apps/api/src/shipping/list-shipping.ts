import { type ShipmentListQuery, WaitingShipment } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const { sql } = Prisma

const listedColumns = columnsOf(WaitingShipment.extend({ id: z.bigint(), sortKey: z.string() }))

const longestPaidFirst: KeysetSort = {
  column: sql`o.paid_at`,
  type: sql`timestamptz`,
  Key: InstantKey,
  id: sql`o.id`,
  descending: false,
}

/** Orders still to be told, those paid longest ago first. */
export async function listWaitingShipments(pool: Pool, { state, limit, cursor: text }: ShipmentListQuery) {
  const { cursor, beyond, orderBy } = keysetOf(longestPaidFirst, text)
  const waiting = state ? sql`u.state = ${state}::shipping_state` : sql`u.state IN ('pending', 'failed')`
  const rows = await execute(
    pool,
    query(
      null,
      sql`
      SELECT o.id, o.out_trade_no AS "outTradeNo", o.amount_fen AS "amountFen", o.refunded_fen AS "refundedFen",
        o.paid_at AS "paidAt", o.paid_at::text AS "sortKey", u.state, u.attempts, u.last_code AS "lastCode"
      FROM shipping_uploads u JOIN orders o ON o.id = u.order_id
      WHERE ${waiting} AND o.status = 'paid' AND ${beyond} ORDER BY ${orderBy} LIMIT ${limit + 1}`,
      listedColumns,
    ),
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, String(row.id)])
  return { ...page, items: page.items.map(({ id: _id, sortKey: _sortKey, ...shipment }) => shipment) }
}
