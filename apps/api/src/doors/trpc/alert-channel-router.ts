import {
  AlertChannelOverview,
  AlertChannelReference,
  AlertMessageListQuery,
  AlertMessageRow,
  twoWayPageOf,
} from '@meridian/contracts'
import { askForTest } from '../../alerts/delivery/ask-for-test.ts'
import { listChannels } from '../../alerts/delivery/list-channels.ts'
import { listMessages } from '../../alerts/delivery/list-messages.ts'
import { permittedProcedure, readingProcedure, router } from './procedures.ts'
import { onPool } from './resolvers.ts'

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
