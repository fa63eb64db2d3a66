import { DeskView, type DeskViewCounts } from '@meridian/contracts'
import type { Pool, Prisma } from '@meridian/db'
import { alertsFromSql } from '../alerts/list-alerts.ts'
import { parkedFromSql } from '../orders/list-parked.ts'
import { countTabs } from '../platform/paging/count-tabs.ts'

const views: Record<DeskView, Prisma.Sql> = {
  parked: parkedFromSql({ left: false }),
  alerts: alertsFromSql({ state: 'open' }),
  left: parkedFromSql({ left: true }),
  resolved: alertsFromSql({ state: 'resolved' }),
}

/** How much lies in each view of the desk. */
export const countDesk = (pool: Pool): Promise<DeskViewCounts> =>
  countTabs(pool, DeskView.options, (view) => views[view])
