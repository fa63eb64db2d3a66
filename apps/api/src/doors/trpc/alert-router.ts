import {
  AlertDetail,
  AlertFilter,
  AlertListQuery,
  AlertReference,
  AlertRow,
  AlertsAbout,
  DeskViewCounts,
  OpenAlert,
  ParkedFilter,
  ParkedListQuery,
  ParkedRow,
  ResolveAlert,
  RowCount,
  twoWayPageOf,
} from '@meridian/contracts'
import { z } from 'zod'
import { countAlerts, listAlerts } from '../../alerts/list-alerts.ts'
import { resolveAlert, takeAlert } from '../../alerts/resolve-alert.ts'
import { countDesk } from '../../dashboard/count-desk.ts'
import { listAlertsAbout, showAlert } from '../../dashboard/show-alert.ts'
import { countParkedOrders, listParkedOrders } from '../../orders/list-parked.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'
import { onPool } from './resolvers.ts'

export const alertRouter = router({
  list: operatorProcedure.input(AlertListQuery).output(twoWayPageOf(AlertRow)).query(onPool(listAlerts)),

  detail: operatorProcedure
    .input(AlertReference)
    .output(AlertDetail)
    .query(onPool((pool, { id }) => showAlert(pool, id))),

  /** Open alerts about an order, a refund or a user's orders, for the pages of these. */
  about: operatorProcedure
    .input(AlertsAbout)
    .output(z.object({ items: z.array(OpenAlert) }))
    .query(async ({ ctx, input }) => ({ items: await listAlertsAbout(ctx.services.database.pool, input) })),

  count: operatorProcedure.input(AlertFilter).output(RowCount).query(onPool(countAlerts)),

  counts: operatorProcedure.output(DeskViewCounts).query(onPool(countDesk)),

  countParked: operatorProcedure.input(ParkedFilter).output(RowCount).query(onPool(countParkedOrders)),

  parked: operatorProcedure
    .input(ParkedListQuery)
    .output(twoWayPageOf(ParkedRow))
    .query(onPool(listParkedOrders)),

  take: permittedProcedure('alert.resolve')
    .input(AlertReference)
    .output(AlertReference)
    .mutation(async ({ ctx, input }) => {
      const act = { alertId: input.id, ...ctx.actor }
      await takeAlert(ctx.services.database.pool, act)
      return input
    }),

  resolve: permittedProcedure('alert.resolve')
    .input(ResolveAlert)
    .output(AlertReference)
    .mutation(async ({ ctx, input: { id, resolution } }) => {
      const act = { alertId: id, ...ctx.actor, resolution }
      await resolveAlert(ctx.services.database.pool, act)
      return { id }
    }),
})
