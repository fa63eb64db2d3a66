import { type ShipmentListQuery, type TwoWayPage, WaitingShipment } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { byAge, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const { sql } = Prisma

const { oldest } = byAge({ key: instantColumn(sql`o.paid_at`), id: serialColumn(sql`o.id`) })

/** Orders still to be told, those paid longest ago first. */
export function listWaitingShipments(
  pool: Pool,
  asked: ShipmentListQuery,
): Promise<TwoWayPage<WaitingShipment>> {
  const { state } = asked
  const waiting = state ? sql`u.state = ${state}::shipping_state` : sql`u.state IN ('pending', 'failed')`
  return readPage(
    pool,
    { sort: oldest, asked, columns: columnsOf(WaitingShipment), isShort: true },
    ({ position, page }) => sql`
      SELECT o.out_trade_no AS "outTradeNo", o.amount_fen AS "amountFen", o.refunded_fen AS "refundedFen",
        o.paid_at AS "paidAt", u.state, u.attempts, u.last_code AS "lastCode", ${position}
      FROM shipping_uploads u JOIN orders o ON o.id = u.order_id
      WHERE ${waiting} AND o.status = 'paid' AND ${page}`,
  )
}
