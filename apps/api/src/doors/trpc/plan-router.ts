import { NewPlan, PlanDetail, PlanEdit, PlanPricing, PlanReference, PlanSheet } from '@meridian/contracts'
import { z } from 'zod'
import { changePrice, createPlan, editPlan } from '../../plans/edit-plan.ts'
import { listPlanNames } from '../../plans/list-plan-names.ts'
import { listAllPlans, showPlan } from '../../plans/show-plan.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const PlanName = z.object({ code: z.string(), name: z.string(), onSale: z.boolean() })

const editing = permittedProcedure('plan.edit').use(({ ctx, next }) =>
  next({ ctx: { ...ctx, editor: { operatorId: ctx.session.operator.id, from: ctx.from } } }),
)

export const planRouter = router({
  list: operatorProcedure
    .output(z.object({ items: z.array(PlanName) }))
    .query(async ({ ctx }) => ({ items: await listPlanNames(ctx.services.database.prisma) })),

  catalogue: operatorProcedure
    .output(z.object({ items: z.array(PlanDetail) }))
    .query(async ({ ctx }) => ({ items: await listAllPlans(ctx.services.database.pool) })),

  detail: operatorProcedure
    .input(PlanReference)
    .output(PlanSheet)
    .query(({ ctx, input }) => showPlan(ctx.services.database.pool, input.code)),

  create: editing
    .input(NewPlan)
    .output(PlanSheet)
    .mutation(async ({ ctx, input }) => {
      await createPlan(ctx.services.database.prisma, input, ctx.editor)
      return showPlan(ctx.services.database.pool, input.code)
    }),

  edit: editing
    .input(PlanEdit)
    .output(PlanSheet)
    .mutation(async ({ ctx, input }) => {
      await editPlan(ctx.services.database.prisma, input, ctx.editor)
      return showPlan(ctx.services.database.pool, input.code)
    }),

  changePrice: editing
    .input(PlanPricing)
    .output(PlanSheet)
    .mutation(async ({ ctx, input }) => {
      await changePrice(ctx.services.database.prisma, input, ctx.editor)
      return showPlan(ctx.services.database.pool, input.code)
    }),
})
