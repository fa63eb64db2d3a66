import { type DashboardRange, DashboardSubscriptions, DashboardUserFunnel } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited, withinLimit } from '../platform/sql/transaction.ts'
import { rangeBefore, withinSql } from './days.ts'
import { hourOfSql, subscriptionFactsSql } from './subscription-facts.ts'

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

const midnightSql = (day: Prisma.Sql): Prisma.Sql => sql`((${day})::timestamp AT TIME ZONE 'Asia/Shanghai')`
const beginningOf = ({ from }: DashboardRange): Prisma.Sql => midnightSql(sql`${from}::date`)
const endOf = ({ to }: DashboardRange): Prisma.Sql => midnightSql(sql`${to}::date + 1`)

const now = sql`business_now()`

/** Subscriptions that end at this midnight of China, which is a full hour, or later. */
const endingFrom = (midnight: Prisma.Sql): Prisma.Sql =>
  sql`(SELECT coalesce(sum(ends), 0) FROM hours WHERE hour >= ${midnight})`
/** Subscriptions that end after this instant, those of its own hour one by one. */
const endingAfter = (instant: Prisma.Sql): Prisma.Sql => sql`(
  (SELECT coalesce(sum(ends), 0) FROM hours WHERE hour > ${hourOfSql(instant)})
  + (SELECT count(*) FROM subscriptions WHERE expires_at > ${instant} AND expires_at < ${hourOfSql(instant)} + interval '1 hour'))`
const endingWithin = (days: number): Prisma.Sql =>
  sql`(${endingAfter(now)} - ${endingAfter(sql`${now} + ${days}::int * interval '24 hours'`)})::int`
const freshIn = (range: DashboardRange): Prisma.Sql => sql`(
  SELECT coalesce(sum(begun), 0)::int FROM hours WHERE hour >= ${beginningOf(range)} AND hour < ${endOf(range)})`
const endedIn = (range: DashboardRange): Prisma.Sql => sql`
  greatest(0, ${endingFrom(beginningOf(range))} - greatest(${endingAfter(now)}, ${endingFrom(endOf(range))}))::int`

const figuresOf = (range: DashboardRange, facts: Prisma.Sql): Prisma.Sql => {
  const before = rangeBefore(range)
  return sql`
    WITH hours AS MATERIALIZED (SELECT hour, begun, ends FROM ${facts} facts)
    SELECT ${endingAfter(now)}::int AS active, ${freshIn(range)} AS fresh, ${freshIn(before)} AS "freshBefore",
      ${endedIn(range)} AS ended, ${endedIn(before)} AS "endedBefore",
      ${endingWithin(7)} AS "endingIn7Days", ${endingWithin(30)} AS "endingIn30Days", ${now} AS "readAt"`
}

/**
 * Subscriptions now, and who came and went in the range.
 * @throws DomainError range_too_wide
 */
export async function showSubscriptionFigures(
  pool: Pool,
  range: DashboardRange,
): Promise<DashboardSubscriptions> {
  const [figures] = await withinLimit(pool, async (client) => {
    const statement = figuresOf(range, await subscriptionFactsSql(client))
    return execute(client, query(null, statement, columnsOf(DashboardSubscriptions)))
  })
  if (!figures) throw new Error('figures without a row')
  return figures
}
