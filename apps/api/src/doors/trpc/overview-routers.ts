import {
  AtHand,
  AtHandQuery,
  DashboardHealth,
  DashboardOrders,
  DashboardRange,
  DashboardRevenue,
  DashboardSubscriptions,
  DashboardUserFunnel,
  mayOperator,
  NamedApproval,
  NewSavedView,
  PinReference,
  SavedView,
  SavedViewEdit,
  SavedViewPage,
  SavedViewReference,
  SearchHits,
  SearchText,
  WaitingCounts,
} from '@meridian/contracts'
import { z } from 'zod'
import { listAllWaiting } from '../../approvals/list-waiting.ts'
import { todayInChina } from '../../dashboard/days.ts'
import { countWaiting, showHealth } from '../../dashboard/show-desk.ts'
import { showOrderFunnel, showRevenue } from '../../dashboard/show-sales.ts'
import { showSubscriptionFigures } from '../../dashboard/show-subscribers.ts'
import { showUserFunnel } from '../../dashboard/show-user-funnel.ts'
import { namesFor } from '../../operators/reveal-names.ts'
import { showAtHand } from '../../search/at-hand.ts'
import { findAnything } from '../../search/find-anything.ts'
import { pin, unpin } from '../../views/pins.ts'
import { editView, listViews, removeView, saveView } from '../../views/saved-views.ts'
import { onPool } from './console-call.ts'
import { lookerOf } from './inbox-router.ts'
import { operatorProcedure, router } from './procedures.ts'

/** One procedure per panel: when one fails, the others stand. */
export const dashboardRouter = router({
  /** For the navigation of every page. */
  waiting: operatorProcedure
    .output(WaitingCounts)
    .query(({ ctx }) => countWaiting(ctx.services.database.pool, lookerOf(ctx))),

  revenue: operatorProcedure
    .input(DashboardRange)
    .output(DashboardRevenue)
    .query(({ ctx: { services }, input }) =>
      showRevenue(services.database.pool, input, services.runtime.now()),
    ),

  orders: operatorProcedure
    .input(DashboardRange)
    .output(DashboardOrders)
    .query(({ ctx, input }) =>
      showOrderFunnel(ctx.services.database.pool, input, ctx.services.runtime.now()),
    ),

  userFunnel: operatorProcedure
    .input(DashboardRange)
    .output(DashboardUserFunnel)
    .query(onPool(showUserFunnel)),

  subscriptions: operatorProcedure
    .input(DashboardRange)
    .output(DashboardSubscriptions)
    .query(onPool(showSubscriptionFigures)),

  health: operatorProcedure.input(DashboardRange).output(DashboardHealth).query(onPool(showHealth)),
})

export const approvalRouter = router({
  waiting: operatorProcedure.output(z.object({ items: z.array(NamedApproval) })).query(async ({ ctx }) => ({
    items: await listAllWaiting(ctx.services.database.pool, {
      operatorId: ctx.session.operator.id,
      names: namesFor(ctx.session),
    }),
  })),
})

const Kept = z.object({ done: z.literal(true) })

export const searchRouter = router({
  find: operatorProcedure
    .input(SearchText)
    .output(SearchHits)
    .query(({ ctx, input }) =>
      findAnything(ctx.services.database.pool, {
        text: input.text,
        today: todayInChina(ctx.services.runtime.now()),
        names: namesFor(ctx.session),
        mayReveal: mayOperator(ctx.session.operator.role, 'identifier.reveal'),
      }),
    ),

  /** What stands there before anything is typed. */
  atHand: operatorProcedure
    .input(AtHandQuery)
    .output(AtHand)
    .query(({ ctx: { services, session }, input }) =>
      showAtHand(services.database.pool, {
        ...input,
        operatorId: session.operator.id,
        names: namesFor(session),
      }),
    ),

  pin: operatorProcedure
    .input(PinReference)
    .output(Kept)
    .mutation(async ({ ctx, input }) => {
      await pin(ctx.services.database.prisma, input, ctx.actor)
      return { done: true as const }
    }),

  unpin: operatorProcedure
    .input(PinReference)
    .output(Kept)
    .mutation(async ({ ctx, input }) => {
      await unpin(ctx.services.database.prisma, input, ctx.actor)
      return { done: true as const }
    }),
})

const Views = z.object({ items: z.array(SavedView) })

const keeping = operatorProcedure.use(({ ctx, next }) => {
  const { role } = ctx.session.operator
  return next({ ctx: { ...ctx, keeper: { ...ctx.actor, role } } })
})

export const viewRouter = router({
  list: keeping
    .input(SavedViewPage)
    .output(Views)
    .query(async ({ ctx, input }) => ({
      items: await listViews(ctx.services.database.prisma, input.page, ctx.keeper.operatorId),
    })),

  save: keeping
    .input(NewSavedView)
    .output(Views)
    .mutation(async ({ ctx, input }) => {
      await saveView(ctx.services.database.prisma, input, ctx.keeper)
      return { items: await listViews(ctx.services.database.prisma, input.page, ctx.keeper.operatorId) }
    }),

  edit: keeping
    .input(SavedViewEdit)
    .output(SavedViewReference)
    .mutation(async ({ ctx, input }) => {
      await editView(ctx.services.database.prisma, input, ctx.keeper)
      return { id: input.id }
    }),

  remove: keeping
    .input(SavedViewReference)
    .output(z.object({ removed: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await removeView(ctx.services.database.prisma, input.id, ctx.keeper)
      return { removed: true as const }
    }),
})
