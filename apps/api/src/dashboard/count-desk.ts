import { DeskView, type DeskViewCounts } from '@meridian/contracts'
import type { Pool, Prisma } from '@meridian/db'
import { alertsFrom } from '../alerts/list-alerts.ts'
import { parkedFrom } from '../orders/list-parked.ts'
import { countTabs } from '../platform/paging/count-tabs.ts'

const views: Record<DeskView, Prisma.Sql> = {
  parked: parkedFrom({ left: false }),
  alerts: alertsFrom({ state: 'open' }),
  left: parkedFrom({ left: true }),
  resolved: alertsFrom({ state: 'resolved' }),
}

/** How much lies in each view of the desk. */
export const countDesk = (pool: Pool): Promise<DeskViewCounts> =>
  countTabs(pool, DeskView.options, (view) => views[view])
