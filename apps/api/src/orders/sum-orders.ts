import type { OrderFilter, OrderTotals } from '@meridian/contracts'
import { column, type Pool, Prisma } from '@meridian/db'
import { fenSum, sumRows } from '../platform/paging/read-page.ts'
import { filteredOrdersSql } from './list-orders.ts'
import { keptOfOrderSql } from './order-fee.ts'

const { sql } = Prisma

/** Of an order whose import was taken back nothing is added up: it is listed, and no money came of it. */
const unlessUndone = (of: Prisma.Sql): Prisma.Sql => sql`CASE WHEN import_undone_at IS NULL THEN ${of} END`

/** Count and sums of the filtered set: exact up to 10,000 rows. */
export async function sumOrders(pool: Pool, filter: OrderFilter): Promise<OrderTotals> {
  const totals = await sumRows(pool, {
    of: sql`${unlessUndone(sql`amount_fen`)} AS amount_fen, refunded_fen, ${unlessUndone(sql`paid_at`)} AS paid_at,
      ${keptOfOrderSql(sql`orders`)} AS fee`,
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
