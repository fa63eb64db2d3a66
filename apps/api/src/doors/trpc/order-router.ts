import {
  DecideLate,
  DecideParked,
  OrderDetail,
  OrderFilter,
  OrderListQuery,
  OrderReference,
  OrderRow,
  OrderTabCounts,
  OrderTabFilter,
  RowTotals,
  SyncOutcome,
  twoWayPageOf,
} from '@meridian/contracts'
import { z } from 'zod'
import { countOrders } from '../../orders/count-orders.ts'
import { listOrders, sumOrders } from '../../orders/list-orders.ts'
import { showOrder } from '../../orders/show-order.ts'
import { decideLate, decideParked } from '../../payments/decide-parked.ts'
import { closeForOperator, syncForOperator } from '../../payments/sync-order.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'
import { type Call, onPool, showingAfter } from './resolvers.ts'

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
  list: operatorProcedure.input(OrderListQuery).output(twoWayPageOf(OrderRow)).query(onPool(listOrders)),

  totals: operatorProcedure.input(OrderFilter).output(RowTotals).query(onPool(sumOrders)),

  counts: operatorProcedure.input(OrderTabFilter).output(OrderTabCounts).query(onPool(countOrders)),

  detail: operatorProcedure.input(OrderReference).output(OrderDetail).query(show),

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
