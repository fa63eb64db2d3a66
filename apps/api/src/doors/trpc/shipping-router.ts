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
import { onPool } from './resolvers.ts'

export const shippingRouter = router({
  frozen: operatorProcedure.output(FrozenFen).query(onPool(frozenFen)),

  waiting: operatorProcedure
    .input(ShipmentListQuery)
    .output(twoWayPageOf(WaitingShipment))
    .query(onPool(listWaitingShipments)),

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
