import { type Pool, Prisma, run } from '@meridian/db'
import { fromCursor, InstantKey, toPage } from '../platform/paging/paging.ts'
import type { OrderView } from './find-order.ts'

type Query = { userId: string; limit: number; cursor?: string | undefined }

/** A user's orders, newest first, at the same cost at any depth. */
export async function listOwnOrders(pool: Pool, { userId, limit, cursor }: Query) {
  const [createdAt, id] = cursor ? fromCursor(cursor, InstantKey).position : ['infinity', '0']
  const rows = await run<OrderView & { id: bigint; sortKey: string }>(
    pool,
    'list-own-orders',
    Prisma.sql`
      SELECT id, out_trade_no AS "outTradeNo", status, plan_code AS "planCode", plan_name AS "planName",
        duration_days AS "durationDays", amount_fen AS "amountFen", refunded_fen AS "refundedFen",
        created_at AS "createdAt", created_at::text AS "sortKey", expires_at AS "expiresAt", paid_at AS "paidAt",
        closed_at AS "closedAt"
      FROM orders
      WHERE user_id = ${userId}::uuid AND (created_at, id) < (${createdAt}::timestamptz, ${id}::bigint)
      ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
  )
  return toPage(rows, limit, (row) => [row.sortKey, String(row.id)])
}
