import type { OrderFilter, OrderTotals } from '@meridian/contracts'
import { column, type Pool, Prisma } from '@meridian/db'
import { fenSum, sumRows } from '../platform/paging/read-page.ts'
import { filteredOrdersSql } from './list-orders.ts'
import { keptOfOrderSql } from './order-fee.ts'

const { sql } = Prisma

/** Count and sums of the filtered set: exact up to 10,000 rows. */
export async function sumOrders(pool: Pool, filter: OrderFilter): Promise<OrderTotals> {
  const totals = await sumRows(pool, {
    of: sql`amount_fen, refunded_fen, paid_at, ${keptOfOrderSql(sql`orders`)} AS fee`,
    sums: sql`
      ${fenSum(sql`amount_fen`)} AS "amountFen", count(paid_at)::int AS "paidOrders",
      ${fenSum(sql`CASE WHEN paid_at IS NOT NULL THEN amount_fen END`)} AS "grossFen",
      ${fenSum(sql`refunded_fen`)} AS "refundedFen", round(coalesce(sum(fee), 0) / 1000)::float8 AS "feeFen", count(fee)::int AS "feeOrders"`,
    from: filteredOrdersSql(filter),
    columns: {
      amountFen: column.real,
      paidOrders: column.integer,
      grossFen: column.real,
      refundedFen: column.real,
      feeFen: column.real,
      feeOrders: column.integer,
    },
  })
  return { ...totals, netFen: totals.grossFen - totals.refundedFen }
}
