import { OrderStatus } from '@meridian/contracts'
import { column, execute, nullable, oneOf, type Pool, Prisma, query } from '@meridian/db'
import { fromCursor, InstantKey, toPage } from '../platform/paging/paging.ts'

const listedColumns = {
  id: column.bigint,
  outTradeNo: column.text,
  status: oneOf(OrderStatus.options),
  planCode: column.text,
  planName: column.text,
  durationDays: column.integer,
  amountFen: column.integer,
  refundedFen: column.integer,
  createdAt: column.instant,
  sortKey: column.text,
  expiresAt: column.instant,
  paidAt: nullable(column.instant),
  closedAt: nullable(column.instant),
}

type Query = { userId: string; limit: number; cursor?: string | undefined }

/** A user's orders, newest first, at the same cost at any depth. */
export async function listOwnOrders(pool: Pool, { userId, limit, cursor }: Query) {
  const [createdAt, id] = cursor ? fromCursor(cursor, InstantKey).position : ['infinity', '0']
  const rows = await execute(
    pool,
    query(
      'list-own-orders',
      Prisma.sql`
      SELECT id, out_trade_no AS "outTradeNo", status, plan_code AS "planCode", plan_name AS "planName",
        duration_days AS "durationDays", amount_fen AS "amountFen", refunded_fen AS "refundedFen",
        created_at AS "createdAt", created_at::text AS "sortKey", expires_at AS "expiresAt", paid_at AS "paidAt",
        closed_at AS "closedAt"
      FROM orders
      WHERE user_id = ${userId}::uuid AND (created_at, id) < (${createdAt}::timestamptz, ${id}::bigint)
      ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
      listedColumns,
    ),
  )
  return toPage(rows, limit, (row) => [row.sortKey, String(row.id)])
}
