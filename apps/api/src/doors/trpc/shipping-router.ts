import {
  FrozenFen,
  OrderReference,
  ShipmentListQuery,
  twoWayPageOf,
  WaitingShipment,
} from '@meridian/contracts'
import { z } from 'zod'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { frozenFen } from '../../shipping/frozen-fen.ts'
import { listWaitingShipments } from '../../shipping/list-shipping.ts'
import { retryShipping } from '../../shipping/queue-shipping.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

export const shippingRouter = router({
  frozen: operatorProcedure.output(FrozenFen).query(({ ctx }) => frozenFen(ctx.services.database.pool)),

  waiting: operatorProcedure
    .input(ShipmentListQuery)
    .output(twoWayPageOf(WaitingShipment))
    .query(({ ctx, input }) => listWaitingShipments(ctx.services.database.pool, input)),

  retry: permittedProcedure('shipping.retry')
    .input(OrderReference)
    .output(z.object({ done: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      const act = { ...input, ...ctx.actor }
      const queued = await retryShipping(ctx.services.database.prisma, act)
      if (!queued) throw new DomainError('changed_meanwhile')
      return { done: true as const }
    }),
})
