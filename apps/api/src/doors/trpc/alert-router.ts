import {
  AlertChannelOverview,
  AlertChannelReference,
  AlertDetail,
  AlertFilter,
  AlertListQuery,
  AlertMessageListQuery,
  AlertMessageRow,
  AlertReference,
  AlertsAbout,
  DeskViewCounts,
  ListedAlert,
  OpenAlert,
  ParkedFilter,
  ParkedListQuery,
  ParkedRow,
  ResolveAlert,
  RowCount,
  twoWayPageOf,
} from '@meridian/contracts'
import { z } from 'zod'
import { askForTest, listChannels, listMessages } from '../../alerts/delivery/channel-desk.ts'
import { countAlerts, listAlerts } from '../../alerts/list-alerts.ts'
import { resolveAlert, takeAlert } from '../../alerts/write-alert.ts'
import { listAlertsAbout, showAlert } from '../../dashboard/show-alert.ts'
import { countDesk } from '../../dashboard/show-desk.ts'
import { countParkedOrders, listParkedOrders } from '../../orders/park-order.ts'
import { onPool, onPoolNaming } from './console-call.ts'
import { operatorProcedure, permittedProcedure, readingProcedure, router } from './procedures.ts'

export const alertRouter = router({
  list: operatorProcedure
    .input(AlertListQuery)
    .output(twoWayPageOf(ListedAlert))
    .query(onPoolNaming(listAlerts)),

  detail: operatorProcedure
    .input(AlertReference)
    .output(AlertDetail)
    .query(onPoolNaming((pool, { id }, names) => showAlert(pool, id, names))),

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
    .query(onPoolNaming(listParkedOrders)),

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

export const alertChannelRouter = router({
  overview: readingProcedure('alert.channels')
    .output(AlertChannelOverview)
    .query(({ ctx }) => listChannels(ctx.services.database.pool, ctx.services.runtime.now())),

  messages: readingProcedure('alert.channels')
    .input(AlertMessageListQuery)
    .output(twoWayPageOf(AlertMessageRow))
    .query(onPool(listMessages)),

  test: permittedProcedure('alert.channels')
    .input(AlertChannelReference)
    .output(AlertChannelReference)
    .mutation(async ({ ctx, input }) => {
      await askForTest(ctx.services.database.pool, { channelId: input.id, ...ctx.actor })
      return input
    }),
})
