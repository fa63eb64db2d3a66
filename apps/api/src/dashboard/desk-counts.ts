import { DeskView, type DeskViewCounts, WAITING_COUNT_LIMIT, WaitingCounts } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { alertsFromSql } from '../alerts/list-alerts.ts'
import { waitingApprovalsSql } from '../approvals/list-waiting.ts'
import { parkedFromSql } from '../orders/list-parked.ts'
import { countTabs } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/transaction.ts'

const { sql } = Prisma

const upToLimit = (source: Prisma.Sql): Prisma.Sql => sql`(
  SELECT count(*)::int FROM (SELECT 1 FROM ${source} LIMIT ${WAITING_COUNT_LIMIT + 1}) counted)`

/** What waits for somebody, for every page: one statement that reads two hundred rows at most. */
export async function countWaiting(pool: Pool): Promise<WaitingCounts> {
  const [counts] = await readLimited(
    pool,
    sql`
      SELECT ${upToLimit(alertsFromSql({ state: 'open' }))} AS alerts, ${upToLimit(waitingApprovalsSql)} AS approvals`,
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
