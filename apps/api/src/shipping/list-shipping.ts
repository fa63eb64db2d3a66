import type { ShipmentListQuery, WaitingShipment } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey } from '../platform/paging/paging.ts'

const { sql } = Prisma

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
  const rows = await run<WaitingShipment & { id: bigint; sortKey: string }>(
    pool,
    null,
    sql`
      SELECT o.id, o.out_trade_no AS "outTradeNo", o.amount_fen AS "amountFen", o.refunded_fen AS "refundedFen",
        o.paid_at AS "paidAt", o.paid_at::text AS "sortKey", u.state, u.attempts, u.last_code AS "lastCode"
      FROM shipping_uploads u JOIN orders o ON o.id = u.order_id
      WHERE ${waiting} AND o.status = 'paid' AND ${beyond} ORDER BY ${orderBy} LIMIT ${limit + 1}`,
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, String(row.id)])
  return { ...page, items: page.items.map(({ id: _id, sortKey: _sortKey, ...shipment }) => shipment) }
}
