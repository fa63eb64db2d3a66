import { MessageAttempt, MessageTest, MessageTestResult } from '@meridian/contracts'
import { z } from 'zod'
import { listMessages } from '../../subscriptions/list-messages.ts'
import { testReminder } from '../../subscriptions/test-reminder.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'
import { onPool } from './resolvers.ts'

export const messageRouter = router({
  ofUser: operatorProcedure
    .input(MessageTest)
    .output(z.object({ remaining: z.int(), items: z.array(MessageAttempt) }))
    .query(onPool((pool, { userId }) => listMessages(pool, userId))),

  test: permittedProcedure('setting.edit')
    .input(MessageTest)
    .output(MessageTestResult)
    .mutation(({ ctx, input }) => testReminder(ctx.services, input.userId, ctx.actor)),
})
