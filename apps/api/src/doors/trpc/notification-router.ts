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
import {
  countNotifications,
  listNotifications,
  revealPayload,
  showNotification,
} from '../../notifications/read-inbox.ts'
import { listRejections } from '../../notifications/rejected-deliveries.ts'
import { dryRunReplay, replayNotification } from '../../payments/replay-notification.ts'
import { onPool } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

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
