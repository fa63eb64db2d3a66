import {
  ClosingVerdict,
  DayDetail,
  DayListQuery,
  DayReference,
  Difference,
  DifferenceListQuery,
  DifferenceReference,
  DifferenceResolution,
  ReconciledDay,
  twoWayPageOf,
} from '@meridian/contracts'
import { z } from 'zod'
import { DomainError } from '../../platform/errors/domain-error.ts'
import {
  closeDay,
  type DifferenceVerdict,
  resolveDifference,
  takeDifference,
} from '../../reconciliation/close-day.ts'
import { requestReconciliation } from '../../reconciliation/reconcile-day.ts'
import {
  listDays,
  listDifferences,
  showDay,
  showDifference,
} from '../../reconciliation/show-reconciliation.ts'
import { onPool, onPoolNaming } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const Done = z.object({ done: z.literal(true) })

/** Somebody else was faster: what the operator saw is not what is. */
function done(verdict: DifferenceVerdict) {
  if (verdict === 'gone') throw new DomainError('changed_meanwhile')
  return { done: true as const }
}

export const reconciliationRouter = router({
  days: operatorProcedure.input(DayListQuery).output(twoWayPageOf(ReconciledDay)).query(onPool(listDays)),

  day: operatorProcedure
    .input(DayReference)
    .output(DayDetail)
    .query(onPool((pool, { date }) => showDay(pool, date))),

  differences: operatorProcedure
    .input(DifferenceListQuery)
    .output(twoWayPageOf(Difference))
    .query(onPoolNaming(listDifferences)),

  difference: operatorProcedure
    .input(DifferenceReference)
    .output(Difference)
    .query(onPoolNaming(showDifference)),

  take: permittedProcedure('reconciliation.resolve')
    .input(DifferenceReference)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      const act = { differenceId: BigInt(input.id), ...ctx.actor }
      return done(await takeDifference(ctx.services.database.prisma, act))
    }),

  resolve: permittedProcedure('reconciliation.resolve')
    .input(DifferenceResolution)
    .output(Done)
    .mutation(async ({ ctx, input: { id, resolution } }) => {
      const act = { differenceId: BigInt(id), ...ctx.actor }
      return done(await resolveDifference(ctx.services.database.prisma, { ...act, resolution }))
    }),

  requestRun: permittedProcedure('reconciliation.resolve')
    .input(DayReference)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await requestReconciliation(ctx.services, { ...input, ...ctx.actor })
      return done('done')
    }),

  closeDay: permittedProcedure('reconciliation.close_day')
    .input(DayReference)
    .output(z.object({ verdict: ClosingVerdict }))
    .mutation(async ({ ctx, input }) => {
      const act = { ...input, ...ctx.actor }
      return { verdict: await closeDay(ctx.services.database.prisma, act) }
    }),
})
