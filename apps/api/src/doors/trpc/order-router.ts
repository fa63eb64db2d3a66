import {
  DecideLate,
  DecideParked,
  FrozenFen,
  OrderDetail,
  OrderFilter,
  OrderListQuery,
  OrderReference,
  OrderReferences,
  OrderRow,
  OrderTabCounts,
  OrderTabFilter,
  OrderTotals,
  ShipmentListQuery,
  SyncOutcome,
  twoWayPageOf,
  WaitingShipment,
} from '@meridian/contracts'
import { z } from 'zod'
import { countOrders, listOrders } from '../../orders/list-orders.ts'
import { showOrder, showOrders } from '../../orders/show-order.ts'
import { sumOrders } from '../../orders/sum-orders.ts'
import { decideLate, decideParked } from '../../payments/decide-parked.ts'
import { closeForOperator, syncForOperator } from '../../payments/sync-order.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { retryShipping } from '../../shipping/queue-shipping.ts'
import { frozenFen, listWaitingShipments } from '../../shipping/show-shipping.ts'
import { type Call, onPool, onPoolNaming, showingAfter } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

type OrderKey = { outTradeNo: string }
const show = ({ ctx, input }: Call<OrderKey>) => showOrder(ctx.services.database, input.outTradeNo)
const thenShow = showingAfter(show)

/** What the platform was asked about an order, and the order as it is then. */
const Asked = z.object({ outcome: SyncOutcome, order: OrderDetail })
const thenShowOutcome =
  (ask: typeof syncForOperator | typeof closeForOperator) =>
  async ({ ctx, input }: Call<OrderKey>) => {
    const outcome = await ask(ctx.services, { outTradeNo: input.outTradeNo, ...ctx.actor })
    return { outcome, order: await show({ ctx, input }) }
  }

export const orderRouter = router({
  list: operatorProcedure
    .input(OrderListQuery)
    .output(twoWayPageOf(OrderRow))
    .query(onPoolNaming(listOrders)),

  totals: operatorProcedure.input(OrderFilter).output(OrderTotals).query(onPool(sumOrders)),

  counts: operatorProcedure.input(OrderTabFilter).output(OrderTabCounts).query(onPool(countOrders)),

  detail: operatorProcedure.input(OrderReference).output(OrderDetail).query(show),

  /** Read ahead, for whatever of it is opened then: that nobody has looked at these orders yet is why it is not `detail`. */
  details: operatorProcedure
    .input(OrderReferences)
    .output(z.array(OrderDetail))
    .query(({ ctx, input }) => showOrders(ctx.services.database, input.outTradeNos)),

  sync: permittedProcedure('order.sync')
    .input(OrderReference)
    .output(Asked)
    .mutation(thenShowOutcome(syncForOperator)),

  close: permittedProcedure('order.close')
    .input(OrderReference)
    .output(Asked)
    .mutation(thenShowOutcome(closeForOperator)),

  decide: permittedProcedure('order.decide')
    .input(DecideParked)
    .output(OrderDetail)
    .mutation(thenShow(onPool((pool, input, actor) => decideParked(pool, { ...input, ...actor })))),

  decideLate: permittedProcedure('order.decide_late')
    .input(DecideLate)
    .output(OrderDetail)
    .mutation(thenShow(onPool((pool, input, actor) => decideLate(pool, { ...input, ...actor })))),
})

export const shippingRouter = router({
  frozen: operatorProcedure.output(FrozenFen).query(onPool(frozenFen)),

  waiting: operatorProcedure
    .input(ShipmentListQuery)
    .output(twoWayPageOf(WaitingShipment))
    .query(onPoolNaming(listWaitingShipments)),

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
