import { type Pool, Prisma, run } from '@meridian/db'
import { fromCursor, InstantKey, toPage } from '../paging.ts'

/** An order whose shipping information is not uploaded yet. */
export type WaitingShipment = {
  outTradeNo: string
  amountFen: number
  refundedFen: number
  paidAt: Date
  state: 'pending' | 'failed'
  attempts: number
  lastCode: string | null
}

/** Orders still to be told, those paid longest ago first. */
export async function listWaitingShipments(
  pool: Pool,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const [paidAt, id] = cursor ? fromCursor(cursor, InstantKey).position : ['-infinity', '0']
  const rows = await run<WaitingShipment & { id: bigint; sortKey: string }>(
    pool,
    'list-waiting-shipments',
    Prisma.sql`
      SELECT o.id, o.out_trade_no AS "outTradeNo", o.amount_fen AS "amountFen", o.refunded_fen AS "refundedFen",
        o.paid_at AS "paidAt", o.paid_at::text AS "sortKey", u.state, u.attempts, u.last_code AS "lastCode"
      FROM shipping_uploads u JOIN orders o ON o.id = u.order_id
      WHERE u.state IN ('pending', 'failed') AND o.status = 'paid'
        AND (o.paid_at, o.id) > (${paidAt}::timestamptz, ${id}::bigint)
      ORDER BY o.paid_at, o.id LIMIT ${limit + 1}`,
  )
  return toPage(rows, limit, (row) => [row.sortKey, String(row.id)])
}
