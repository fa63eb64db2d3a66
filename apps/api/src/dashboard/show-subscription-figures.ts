import { type DashboardRange, DashboardSubscriptions } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/read-limited.ts'
import { rangeBefore, withinSql } from './days.ts'

const { sql } = Prisma

const endingWithin = (days: number): Prisma.Sql => sql`(
  SELECT count(*)::int FROM subscriptions
  WHERE expires_at > business_now() AND expires_at <= business_now() + ${days}::int * interval '24 hours')`
const freshIn = (range: DashboardRange): Prisma.Sql => sql`(
  SELECT count(*)::int FROM grants WHERE seq = 1 AND ${withinSql(sql`effective_at`, range)})`
const endedIn = (range: DashboardRange): Prisma.Sql => sql`(
  SELECT count(*)::int FROM subscriptions WHERE expires_at <= business_now() AND ${withinSql(sql`expires_at`, range)})`

/**
 * Subscriptions now, and who came and went in the range.
 * @throws DomainError range_too_wide
 */
export async function showSubscriptionFigures(
  pool: Pool,
  range: DashboardRange,
): Promise<DashboardSubscriptions> {
  const before = rangeBefore(range)
  const [figures] = await readLimited(
    pool,
    sql`
      SELECT (SELECT count(*)::int FROM subscriptions WHERE expires_at > business_now()) AS active,
        ${freshIn(range)} AS fresh, ${freshIn(before)} AS "freshBefore",
        ${endedIn(range)} AS ended, ${endedIn(before)} AS "endedBefore",
        ${endingWithin(7)} AS "endingIn7Days", ${endingWithin(30)} AS "endingIn30Days", business_now() AS "readAt"`,
    columnsOf(DashboardSubscriptions),
  )
  if (!figures) throw new Error('figures without a row')
  return figures
}
