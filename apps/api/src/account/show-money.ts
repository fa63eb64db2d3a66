import { CustomerMoney } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'

/**
 * What a customer paid and got back, over all their orders but those whose import was taken back; second payments are
 * returned and count in neither.
 */
export async function showMoney(pool: Pool, id: string): Promise<CustomerMoney> {
  const [money] = await execute(
    pool,
    query(
      'show-money-of-user',
      Prisma.sql`SELECT coalesce(sum(amount_fen), 0)::float8 AS "paidFen", coalesce(sum(refunded_fen), 0)::float8 AS "refundedFen",
        count(*)::int AS "paidOrders", min(paid_at) AS "firstPaidAt", max(paid_at) AS "lastPaidAt"
      FROM orders WHERE user_id = ${id}::uuid AND status IN ('paid', 'refunded') AND import_undone_at IS NULL`,
      columnsOf(CustomerMoney),
    ),
  )
  if (!money) throw new Error('a sum is one row')
  return money
}
