import { daysOfMonth, type MonthReference, PlanRevenue, type PlanRevenueMonth } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { withinSql } from '../dashboard/days.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/transaction.ts'

const { sql } = Prisma

/**
 * What each plan brought in a month by each channel. A renewal is a purchase by somebody who had days before, whether or
 * not any were left; a payment whose days are not given yet is neither that nor a first purchase.
 * @throws DomainError range_too_wide
 */
export async function showPlanRevenue(pool: Pool, { month }: MonthReference): Promise<PlanRevenueMonth> {
  const days = daysOfMonth(month)
  const rows = await readLimited(
    pool,
    sql`
    SELECT plan_code AS "planCode", coalesce((SELECT name FROM plans WHERE code = plan_code), plan_code) AS "planName", channel,
      sum(orders)::int AS orders, sum(gross_fen)::float8 AS "grossFen", sum(refunds)::int AS refunds, sum(refund_fen)::float8 AS "refundFen",
      sum(firsts)::int AS firsts, sum(renewals)::int AS renewals
    FROM (
      SELECT o.plan_code, o.channel, count(*) AS orders, sum(o.amount_fen) AS gross_fen, 0 AS refunds, 0 AS refund_fen,
        count(*) FILTER (WHERE g.id IS NOT NULL AND g.expires_before IS NULL) AS firsts, count(g.expires_before) AS renewals
      FROM orders o LEFT JOIN grants g ON g.order_id = o.id AND g.kind = 'purchase'
      WHERE ${withinSql(sql`o.paid_at`, days)} AND NOT o.imported GROUP BY 1, 2
      UNION ALL
      SELECT o.plan_code, o.channel, 0, 0, count(*), sum(r.amount_fen), 0, 0
      FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE r.second_payment_id IS NULL AND ${withinSql(sql`r.succeeded_at`, days)} GROUP BY 1, 2) parts
    GROUP BY 1, 2, 3 ORDER BY "grossFen" DESC, 1, 3`,
    columnsOf(PlanRevenue),
  )
  return { month, rows }
}
