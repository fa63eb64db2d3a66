import {
  NotificationDetail,
  NotificationFilter,
  NotificationListQuery,
  NotificationPayload,
  NotificationReference,
  NotificationRow,
  PayloadRequest,
  RejectedListQuery,
  RejectedPage,
  ReplayEffect,
  RowCount,
  twoWayPageOf,
} from '@meridian/contracts'
import { countNotifications, listNotifications } from '../../notifications/list-notifications.ts'
import { listRejections } from '../../notifications/list-rejections.ts'
import { revealPayload, showNotification } from '../../notifications/show-notification.ts'
import { dryRunReplay, replayNotification } from '../../payments/replay-notification.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

export const notificationRouter = router({
  list: operatorProcedure
    .input(NotificationListQuery)
    .output(twoWayPageOf(NotificationRow))
    .query(({ ctx, input }) => listNotifications(ctx.services.database.pool, input)),

  count: operatorProcedure
    .input(NotificationFilter)
    .output(RowCount)
    .query(({ ctx, input }) => countNotifications(ctx.services.database.pool, input)),

  detail: operatorProcedure
    .input(NotificationReference)
    .output(NotificationDetail)
    .query(({ ctx, input }) => showNotification(ctx.services.database.pool, input.id)),

  rejected: operatorProcedure
    .input(RejectedListQuery)
    .output(RejectedPage)
    .query(({ ctx, input }) => listRejections(ctx.services.database.pool, input)),

  /** A mutation, because the look itself is kept. */
  payload: permittedProcedure('notification.payload')
    .input(PayloadRequest)
    .output(NotificationPayload)
    .mutation(({ ctx, input }) =>
      revealPayload(ctx.services.database.pool, {
        ...input,
        ...ctx.actor,
      }),
    ),

  /** A query, because it changes nothing. */
  dryRun: permittedProcedure('notification.replay')
    .input(NotificationReference)
    .output(ReplayEffect)
    .query(({ ctx, input }) =>
      dryRunReplay(ctx.services, {
        notificationId: input.id,
        ...ctx.actor,
      }),
    ),

  replay: permittedProcedure('notification.replay')
    .input(NotificationReference)
    .output(ReplayEffect)
    .mutation(({ ctx, input }) =>
      replayNotification(ctx.services, {
        notificationId: input.id,
        ...ctx.actor,
      }),
    ),
})
