import { type DashboardRange, DashboardSubscriptions, DashboardUserFunnel } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { rangeBefore, withinSql } from './days.ts'

const { sql } = Prisma

const columns = columnsOf(DashboardUserFunnel.pick({ funnel: true, readAt: true }))

/** Of each user the last deed of a kind is enough: it came after the first scan exactly when any of them did. */
const funnelOf = (range: DashboardRange): Prisma.Sql => sql`
  SELECT count(*)::int AS scanned,
    count(*) FILTER (WHERE t.last_at > s.first_at)::int AS treated,
    count(*) FILTER (WHERE o.last_at > s.first_at)::int AS ordered,
    count(*) FILTER (WHERE o.last_paid_at > s.first_at)::int AS paid,
    count(*) FILTER (WHERE o.last_paid_at > s.first_at AND a.expires_at > business_now())::int AS active
  FROM (
      SELECT user_id, min(started_at) AS first_at FROM reports
      WHERE kind = 'scan' AND ${withinSql(sql`started_at`, range)} GROUP BY user_id) s
    LEFT JOIN (
      SELECT user_id, max(started_at) AS last_at FROM reports
      WHERE kind = 'treatment' AND ${withinSql(sql`started_at`, range)} GROUP BY user_id) t USING (user_id)
    LEFT JOIN (
      SELECT user_id, max(created_at) AS last_at,
        max(created_at) FILTER (WHERE ${withinSql(sql`paid_at`, range)}) AS last_paid_at
      FROM orders WHERE ${withinSql(sql`created_at`, range)} GROUP BY user_id) o USING (user_id)
    LEFT JOIN subscriptions a USING (user_id)`

/**
 * Of the users who scanned in the range: who then, within it, began a treatment, ordered, and paid, and of those who
 * paid who has days now; beside those of the range before. Nobody is asked to treat before they buy.
 * @throws DomainError range_too_wide
 */
export async function showUserFunnel(pool: Pool, range: DashboardRange): Promise<DashboardUserFunnel> {
  const [chosen, earlier] = await readLimited(
    pool,
    sql`
      SELECT to_json(f) AS funnel, business_now() AS "readAt" FROM (
        SELECT 1 AS place, * FROM (${funnelOf(range)}) chosen
        UNION ALL SELECT 2, * FROM (${funnelOf(rangeBefore(range))}) earlier) f ORDER BY place`,
    columns,
  )
  if (!chosen || !earlier) throw new Error('figures without a row')
  return { funnel: chosen.funnel, funnelBefore: earlier.funnel, readAt: chosen.readAt }
}

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
