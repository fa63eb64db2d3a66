import {
  DaysChange,
  DaysOrder,
  DaysOutcome,
  DaysPreview,
  GrantDecision,
  GrantRequest,
  MessageAttempt,
  MessageTest,
  MessageTestResult,
  SubscriptionDetail,
  SubscriptionFilter,
  SubscriptionListQuery,
  SubscriptionReference,
  SubscriptionRow,
  SubscriptionSums,
  twoWayPageOf,
} from '@meridian/contracts'
import { z } from 'zod'
import { changeDays, decideGrantRequest, previewDays } from '../../subscriptions/change-days.ts'
import { listGrantRequests } from '../../subscriptions/list-grant-requests.ts'
import { listSubscriptions } from '../../subscriptions/list-subscriptions.ts'
import { listMessages } from '../../subscriptions/messages.ts'
import { showLedger } from '../../subscriptions/show-ledger.ts'
import { sumSubscriptions } from '../../subscriptions/sum-subscriptions.ts'
import { testReminder } from '../../subscriptions/test-reminder.ts'
import { onPool, onPoolNaming, onPrisma } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

export const subscriptionRouter = router({
  list: operatorProcedure
    .input(SubscriptionListQuery)
    .output(twoWayPageOf(SubscriptionRow))
    .query(onPoolNaming(listSubscriptions)),

  sums: operatorProcedure.input(SubscriptionFilter).output(SubscriptionSums).query(onPool(sumSubscriptions)),

  detail: operatorProcedure
    .input(SubscriptionReference)
    .output(SubscriptionDetail)
    .query(({ ctx, input: { userId } }) =>
      showLedger(ctx.services.database.pool, { userId, operatorId: ctx.session.operator.id }),
    ),

  previewDays: permittedProcedure('subscription.grant')
    .input(DaysChange)
    .output(DaysPreview)
    .query(onPrisma(previewDays)),

  changeDays: permittedProcedure('subscription.grant')
    .input(DaysOrder)
    .output(DaysOutcome)
    .mutation(async ({ ctx, input }) => {
      return { outcome: await changeDays(ctx.services.database.prisma, input, ctx.actor) }
    }),

  requests: operatorProcedure.output(z.object({ items: z.array(GrantRequest) })).query(async ({ ctx }) => ({
    items: await listGrantRequests(ctx.services.database.pool, { operatorId: ctx.session.operator.id }),
  })),

  decideRequest: permittedProcedure('grant.approve')
    .input(GrantDecision)
    .output(SubscriptionReference)
    .mutation(({ ctx, input }) =>
      decideGrantRequest(ctx.services.database.prisma, input, {
        ...ctx.actor,
      }),
    ),
})

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
