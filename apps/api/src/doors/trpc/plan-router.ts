import { z } from 'zod'
import { listPlanNames } from '../../plans/list-plan-names.ts'
import { operatorProcedure, router } from './procedures.ts'

const PlanName = z.object({ code: z.string(), name: z.string(), onSale: z.boolean() })

export const planRouter = router({
  list: operatorProcedure
    .output(z.object({ items: z.array(PlanName) }))
    .query(async ({ ctx }) => ({ items: await listPlanNames(ctx.services.database.prisma) })),
})
