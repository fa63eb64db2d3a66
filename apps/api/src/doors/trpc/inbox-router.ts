import {
  InboxAssignment,
  InboxColleague,
  InboxCounts,
  InboxFilter,
  InboxItem,
  InboxPermission,
  InboxQuery,
  InboxSnooze,
  inboxPermissionsOf,
  permissions,
  twoWayPageOf,
} from '@meridian/contracts'
import { z } from 'zod'
import { countInbox, listColleagues, listInbox } from '../../inbox/list-inbox.ts'
import { assignItem, snoozeItem } from '../../inbox/look-after.ts'
import type { Looker } from '../../inbox/waiting-items.ts'
import { namesFor } from '../../operators/reveal-names.ts'
import type { Call } from './console-call.ts'
import { operatorProcedure, permittedProcedure, readingProcedure, router } from './procedures.ts'

/** Who looks at the queue, and what their role may act on. */
export const lookerOf = ({ session: { operator } }: Pick<Call<unknown>['ctx'], 'session'>): Looker => ({
  operatorId: operator.id,
  permissions: inboxPermissionsOf(operator.role),
})

const Done = z.object({ done: z.literal(true) })

export const inboxRouter = router({
  list: operatorProcedure
    .input(InboxQuery)
    .output(twoWayPageOf(InboxItem))
    .query(({ ctx, input }) =>
      listInbox(ctx.services.database.pool, input, { ...lookerOf(ctx), names: namesFor(ctx.session) }),
    ),

  counts: operatorProcedure
    .input(InboxFilter)
    .output(InboxCounts)
    .query(({ ctx, input }) => countInbox(ctx.services.database.pool, input, lookerOf(ctx))),

  colleagues: readingProcedure('inbox.assign')
    .input(z.object({ permission: InboxPermission }))
    .output(z.object({ items: z.array(InboxColleague) }))
    .query(async ({ ctx, input }) => ({
      items: await listColleagues(ctx.services.database.pool, permissions[input.permission]),
    })),

  assign: permittedProcedure('inbox.assign')
    .input(InboxAssignment)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await assignItem(ctx.services.database, { ...input, ...ctx.actor })
      return { done: true as const }
    }),

  snooze: permittedProcedure('inbox.assign')
    .input(InboxSnooze)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await snoozeItem(ctx.services.database, { ...input, ...ctx.actor })
      return { done: true as const }
    }),
})
