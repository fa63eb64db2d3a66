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
import { onPool } from './resolvers.ts'

export const notificationRouter = router({
  list: operatorProcedure
    .input(NotificationListQuery)
    .output(twoWayPageOf(NotificationRow))
    .query(onPool(listNotifications)),

  count: operatorProcedure.input(NotificationFilter).output(RowCount).query(onPool(countNotifications)),

  detail: operatorProcedure
    .input(NotificationReference)
    .output(NotificationDetail)
    .query(onPool((pool, { id }) => showNotification(pool, id))),

  rejected: operatorProcedure.input(RejectedListQuery).output(RejectedPage).query(onPool(listRejections)),

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
