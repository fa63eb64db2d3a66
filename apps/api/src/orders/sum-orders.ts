import type { OrderFilter, OrderTotals } from '@meridian/contracts'
import { column, type Pool, Prisma } from '@meridian/db'
import { fenSum, sumRows } from '../platform/paging/read-page.ts'
import { filteredOrdersSql } from './list-orders.ts'

const { sql } = Prisma

/**
 * What the platform kept of the payment of an order, in hundred-thousandths of a yuan: of a virtual payment what its
 * settlement says, of any other what the bill of its day says; null until either came.
 */
const feeSql = sql`CASE
  WHEN paid_at IS NULL THEN NULL
  WHEN channel = 'virtual' THEN (
    SELECT a.fee_fen::bigint * 1000 FROM order_attempts a WHERE a.number = orders.paid_attempt_no)
  ELSE (
    SELECT max(b.fee_hundred_thousandths) FROM bill_rows b
    WHERE b.transaction_id = orders.transaction_id AND b.kind = 'payment')
  END`

/** Count and sums of the filtered set: exact up to 10,000 rows. */
export async function sumOrders(pool: Pool, filter: OrderFilter): Promise<OrderTotals> {
  const totals = await sumRows(pool, {
    of: sql`amount_fen, refunded_fen, paid_at, ${feeSql} AS fee`,
    sums: sql`
      ${fenSum(sql`amount_fen`)} AS "amountFen", count(paid_at)::int AS "paidOrders",
      ${fenSum(sql`CASE WHEN paid_at IS NOT NULL THEN amount_fen END`)} AS "grossFen",
      ${fenSum(sql`refunded_fen`)} AS "refundedFen", round(${fenSum(sql`fee`)} / 1000) AS "feeFen", count(fee)::int AS "feeOrders"`,
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
