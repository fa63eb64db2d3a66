import {
  ApprovalVerdict,
  NewPlan,
  PlanCreation,
  PlanDetail,
  PlanEdit,
  PlanItem,
  PlanPricing,
  PlanReference,
  PlanSheet,
  SaleCompliance,
  WaitingApproval,
} from '@meridian/contracts'
import { z } from 'zod'
import { listWaiting } from '../../approvals/list-waiting.ts'
import { changePlan, decidePlan } from '../../plans/change-plan.ts'
import { checkItems } from '../../plans/check-items.ts'
import { showCompliance } from '../../plans/sale-compliance.ts'
import { listAllPlans, listPlanNames, showPlan, showPlanOrRequest } from '../../plans/show-plans.ts'
import { onPool, onPrisma, showingAfter } from './console-call.ts'
import { operatorProcedure, permittedProcedure, readingProcedure, router } from './procedures.ts'

const PlanName = PlanDetail.pick({ code: true, name: true, nameEn: true, onSale: true })
const Catalogue = z.object({ items: z.array(PlanDetail), waiting: z.array(WaitingApproval) })

const editing = permittedProcedure('plan.edit')

const show = onPool((pool, { code }: { code: string }, { operatorId }) =>
  showPlan(pool, { code, operatorId }),
)
const thenShow = showingAfter(show)

export const planRouter = router({
  list: operatorProcedure
    .output(z.object({ items: z.array(PlanName) }))
    .query(async ({ ctx }) => ({ items: await listPlanNames(ctx.services.database.prisma) })),

  catalogue: operatorProcedure.output(Catalogue).query(async ({ ctx }) => {
    const { pool } = ctx.services.database
    const look = { kind: 'plan', operatorId: ctx.session.operator.id } as const
    return { items: await listAllPlans(pool), waiting: await listWaiting(pool, look) }
  }),

  detail: operatorProcedure.input(PlanReference).output(PlanSheet).query(show),

  /** Asks the platform: only when somebody presses the button. */
  items: readingProcedure('plan.edit')
    .output(z.object({ items: z.array(PlanItem) }))
    .query(async ({ ctx }) => ({ items: await checkItems(ctx.services) })),

  compliance: operatorProcedure
    .output(SaleCompliance)
    .query(({ ctx: { services } }) => showCompliance(services.database.pool, services.virtual !== null)),

  create: editing
    .input(NewPlan)
    .output(PlanCreation)
    .mutation(async ({ ctx, input }) => {
      await changePlan(ctx.services.database.prisma, { act: 'create', input }, ctx.actor)
      const look = { code: input.code, operatorId: ctx.actor.operatorId }
      return showPlanOrRequest(ctx.services.database.pool, look)
    }),

  edit: editing
    .input(PlanEdit)
    .output(PlanSheet)
    .mutation(
      thenShow(onPrisma((prisma, input, actor) => changePlan(prisma, { act: 'edit', input }, actor))),
    ),

  changePrice: editing
    .input(PlanPricing)
    .output(PlanSheet)
    .mutation(
      thenShow(onPrisma((prisma, input, actor) => changePlan(prisma, { act: 'change_price', input }, actor))),
    ),

  decide: editing
    .input(ApprovalVerdict)
    .output(PlanReference)
    .mutation(onPrisma(async (prisma, input, actor) => ({ code: await decidePlan(prisma, input, actor) }))),
})
