import {
  NewSavedView,
  SavedView,
  SavedViewEdit,
  SavedViewPage,
  SavedViewReference,
} from '@meridian/contracts'
import { z } from 'zod'
import { editView, listViews, removeView, saveView } from '../../views/saved-views.ts'
import { operatorProcedure, router } from './procedures.ts'

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
