import { type DashboardRange, DashboardSubscriptions } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { withinLimit } from '../platform/sql/transaction.ts'
import { rangeBefore } from './days.ts'
import { hourOfSql, subscriptionFactsSql } from './subscription-facts.ts'

const { sql } = Prisma

const now = sql`business_now()`
const inDays = (days: number): Prisma.Sql => sql`${now} + ${days}::int * interval '24 hours'`
const midnightSql = (day: Prisma.Sql): Prisma.Sql => sql`(${day})::timestamp AT TIME ZONE 'Asia/Shanghai'`

/** Subscriptions that end in the same hour as this instant, and after it: those are looked at one by one. */
const endingSoonAfter = (instant: Prisma.Sql): Prisma.Sql => sql`(
  SELECT count(*) FROM subscriptions WHERE expires_at > ${instant} AND expires_at < ${hourOfSql(instant)} + interval '1 hour')`
const ends = (hours: Prisma.Sql): Prisma.Sql => sql`coalesce(sum(ends) FILTER (WHERE ${hours}), 0)`
const begun = (hours: Prisma.Sql): Prisma.Sql => sql`coalesce(sum(begun) FILTER (WHERE ${hours}), 0)`

// Days of China begin at a full hour. What ended in some of them is what ends from their first hour on, without what ends
// after them or has not ended yet.
const figuresOf = (range: DashboardRange, facts: Prisma.Sql): Prisma.Sql => {
  const before = rangeBefore(range)
  return sql`
    SELECT active::int, fresh::int, "freshBefore"::int, greatest(0, from_first - greatest(active, from_end))::int AS ended,
      greatest(0, from_before - greatest(active, from_first))::int AS "endedBefore", (active - after_week)::int AS "endingIn7Days",
      (active - after_month)::int AS "endingIn30Days", ${now} AS "readAt"
    FROM (
      SELECT ${ends(sql`hour > now_hour`)} + ${endingSoonAfter(now)} AS active,
        ${ends(sql`hour > week_hour`)} + ${endingSoonAfter(inDays(7))} AS after_week,
        ${ends(sql`hour > month_hour`)} + ${endingSoonAfter(inDays(30))} AS after_month,
        ${ends(sql`hour >= before_hour`)} AS from_before, ${ends(sql`hour >= first_hour`)} AS from_first, ${ends(sql`hour >= end_hour`)} AS from_end,
        ${begun(sql`hour >= first_hour AND hour < end_hour`)} AS fresh, ${begun(sql`hour >= before_hour AND hour < first_hour`)} AS "freshBefore"
      FROM ${facts} facts, (
        SELECT ${hourOfSql(now)} AS now_hour, ${hourOfSql(inDays(7))} AS week_hour, ${hourOfSql(inDays(30))} AS month_hour,
          ${midnightSql(sql`${before.from}::date`)} AS before_hour, ${midnightSql(sql`${range.from}::date`)} AS first_hour,
          ${midnightSql(sql`${range.to}::date + 1`)} AS end_hour OFFSET 0) bounds
      WHERE hour >= least(now_hour, before_hour)) sums`
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
