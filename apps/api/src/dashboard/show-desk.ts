import {
  DashboardHealth,
  type DashboardRange,
  DeskView,
  type DeskViewCounts,
  WAITING_COUNT_LIMIT,
  WaitingCounts,
} from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { alertsFromSql } from '../alerts/list-alerts.ts'
import { waitingApprovalsSql } from '../approvals/list-waiting.ts'
import { ownFilesSql } from '../exports/export-jobs.ts'
import { inboxFromSql, type Looker } from '../inbox/waiting-items.ts'
import { isParkedSql, parkedFromSql } from '../orders/park-order.ts'
import { countTabs } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited, withinLimit } from '../platform/sql/transaction.ts'
import { withinSql } from './days.ts'
import { notificationCountsSql } from './notification-counts.ts'
import { orderFactsSql } from './order-facts.ts'

const { sql } = Prisma

const listed = (counted: Prisma.Sql): Prisma.Sql =>
  sql`(SELECT coalesce(json_agg(to_json(c) ORDER BY count DESC), '[]') FROM (${counted}) c)`

/**
 * Whether the money's messages arrive, and what somebody must look at.
 * @throws DomainError range_too_wide
 */
export async function showHealth(pool: Pool, range: DashboardRange): Promise<DashboardHealth> {
  const confirmations = (facts: Prisma.Sql) => sql`
    SELECT key AS channel, sum(orders)::int AS count FROM ${facts} facts
    WHERE fact = 'paid' GROUP BY key HAVING sum(orders) > 0`
  const alerts = sql`
    SELECT kind, count(*)::int AS count FROM alerts WHERE resolved_at IS NULL GROUP BY kind`
  const statementOf = (facts: Prisma.Sql, counts: Prisma.Sql) => sql`
      SELECT ${listed(sql`SELECT * FROM ${counts} counts`)} AS notifications, ${listed(confirmations(facts))} AS "confirmedBy",
        ${listed(alerts)} AS alerts,
        (SELECT coalesce(sum(count), 0)::int FROM rejection_counts WHERE ${withinSql(sql`hour`, range)}) AS rejected,
        (SELECT count(*)::int FROM refunds WHERE status = 'abnormal') AS "abnormalRefunds",
        (SELECT count(*)::int FROM orders o WHERE ${isParkedSql({ left: false })}) AS "parkedOrders",
        (SELECT count(*)::int FROM reconciliation_differences WHERE state = 'open') AS "openDifferences",
        business_now() AS "readAt"`
  const [health] = await withinLimit(pool, async (client) => {
    const facts = await orderFactsSql(client, range)
    const statement = statementOf(facts, await notificationCountsSql(client, range))
    return execute(client, query(null, statement, columnsOf(DashboardHealth)))
  })
  if (!health) throw new Error('figures without a row')
  return health
}

const upToLimit = (source: Prisma.Sql): Prisma.Sql => sql`(
  SELECT count(*)::int FROM (SELECT 1 FROM ${source} LIMIT ${WAITING_COUNT_LIMIT + 1}) counted)`

/** What waits for somebody and what waits for who looks, for every page: one statement that counts up to a limit. */
export async function countWaiting(pool: Pool, looker: Looker): Promise<WaitingCounts> {
  const [counts] = await readLimited(
    pool,
    sql`
      SELECT ${upToLimit(alertsFromSql({ state: 'open' }))} AS alerts, ${upToLimit(waitingApprovalsSql)} AS approvals,
        ${upToLimit(inboxFromSql({ view: 'you' }, looker))} AS inbox, ${ownFilesSql(looker.operatorId)} AS files`,
    columnsOf(WaitingCounts),
  )
  if (!counts) throw new Error('counts without a row')
  return counts
}

const views: Record<DeskView, Prisma.Sql> = {
  parked: parkedFromSql({ left: false }),
  alerts: alertsFromSql({ state: 'open' }),
  left: parkedFromSql({ left: true }),
  resolved: alertsFromSql({ state: 'resolved' }),
}

/** How much lies in each view of the desk. */
export const countDesk = (pool: Pool): Promise<DeskViewCounts> =>
  countTabs(pool, DeskView.options, (view) => views[view])
