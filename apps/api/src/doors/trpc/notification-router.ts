import { NotificationReference, ReplayEffect } from '@meridian/contracts'
import { rehearseReplay, replayNotification } from '../../paid/replay-notification.ts'
import { permittedProcedure, router } from './procedures.ts'

export const notificationRouter = router({
  /** A query, because it changes nothing. */
  rehearse: permittedProcedure('notification.replay')
    .input(NotificationReference)
    .output(ReplayEffect)
    .query(({ ctx, input }) =>
      rehearseReplay(ctx.services, {
        notificationId: input.id,
        operatorId: ctx.session.operator.id,
        from: ctx.from,
      }),
    ),

  replay: permittedProcedure('notification.replay')
    .input(NotificationReference)
    .output(ReplayEffect)
    .mutation(({ ctx, input }) =>
      replayNotification(ctx.services, {
        notificationId: input.id,
        operatorId: ctx.session.operator.id,
        from: ctx.from,
      }),
    ),
})
