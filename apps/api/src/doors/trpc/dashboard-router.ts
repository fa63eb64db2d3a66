import {
  DashboardHealth,
  DashboardOrders,
  DashboardRange,
  DashboardRevenue,
  DashboardSubscriptions,
  DashboardUserFunnel,
  WaitingCounts,
} from '@meridian/contracts'
import { countWaiting } from '../../dashboard/count-waiting.ts'
import { showHealth } from '../../dashboard/show-health.ts'
import { showOrderFunnel } from '../../dashboard/show-order-funnel.ts'
import { showRevenue } from '../../dashboard/show-revenue.ts'
import { showSubscriptionFigures } from '../../dashboard/show-subscription-figures.ts'
import { showUserFunnel } from '../../dashboard/show-user-funnel.ts'
import { operatorProcedure, router } from './procedures.ts'
import { onPool } from './resolvers.ts'

/** One procedure per panel: when one fails, the others stand. */
export const dashboardRouter = router({
  /** For the navigation of every page. */
  waiting: operatorProcedure.output(WaitingCounts).query(onPool(countWaiting)),

  revenue: operatorProcedure
    .input(DashboardRange)
    .output(DashboardRevenue)
    .query(({ ctx: { services }, input }) =>
      showRevenue(services.database.pool, input, services.runtime.now()),
    ),

  orders: operatorProcedure
    .input(DashboardRange)
    .output(DashboardOrders)
    .query(({ ctx, input }) =>
      showOrderFunnel(ctx.services.database.pool, input, ctx.services.runtime.now()),
    ),

  userFunnel: operatorProcedure
    .input(DashboardRange)
    .output(DashboardUserFunnel)
    .query(onPool(showUserFunnel)),

  subscriptions: operatorProcedure
    .input(DashboardRange)
    .output(DashboardSubscriptions)
    .query(onPool(showSubscriptionFigures)),

  health: operatorProcedure.input(DashboardRange).output(DashboardHealth).query(onPool(showHealth)),
})
