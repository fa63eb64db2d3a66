import { type DashboardRange, DashboardUserFunnel } from '@meridian/contracts'
import { column, execute, json, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { withinLimit } from '../platform/sql/transaction.ts'
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
 */
export async function countUserFunnel(
  client: PoolClient,
  range: DashboardRange,
): Promise<DashboardUserFunnel> {
  const [chosen, earlier] = await execute(
    client,
    query(
      null,
      sql`
      SELECT to_json(f) AS funnel, business_now() AS "readAt" FROM (
        SELECT 1 AS place, * FROM (${funnelOf(range)}) chosen
        UNION ALL SELECT 2, * FROM (${funnelOf(rangeBefore(range))}) earlier) f ORDER BY place`,
      columns,
    ),
  )
  if (!chosen || !earlier) throw new Error('figures without a row')
  return { funnel: chosen.funnel, funnelBefore: earlier.funnel, readAt: chosen.readAt }
}

const Funnels = DashboardUserFunnel.pick({ funnel: true, funnelBefore: true })

/** What a job kept of these days within the last hour, because to count it takes too long. */
async function findKeptFunnel(
  client: PoolClient,
  { from, to }: DashboardRange,
): Promise<DashboardUserFunnel | null> {
  const [kept] = await execute(
    client,
    query(
      'find-kept-funnel',
      sql`
      SELECT funnels, read_at AS "readAt" FROM kept_funnels
      WHERE from_day = ${from}::date AND to_day = ${to}::date
        AND read_at BETWEEN business_now() - interval '1 hour' AND business_now()`,
      { funnels: json(Funnels), readAt: column.instant },
    ),
  )
  return kept ? { ...kept.funnels, readAt: kept.readAt } : null
}

/**
 * The way of users from the first scan to a subscription, as of now; of the days that everybody looks at, and where there
 * are too many users to count them meanwhile, as of some minutes ago.
 * @throws DomainError range_too_wide
 */
export const showUserFunnel = (pool: Pool, range: DashboardRange): Promise<DashboardUserFunnel> =>
  withinLimit(pool, async (client) => (await findKeptFunnel(client, range)) ?? countUserFunnel(client, range))
