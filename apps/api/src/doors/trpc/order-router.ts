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

export const orderRouter = router({
  list: operatorProcedure
    .input(OrderListQuery)
    .output(twoWayPageOf(OrderRow))
    .query(({ ctx, input }) => listOrders(ctx.services.database.pool, input)),

  totals: operatorProcedure
    .input(OrderFilter)
    .output(RowTotals)
    .query(({ ctx, input }) => sumOrders(ctx.services.database.pool, input)),

  counts: operatorProcedure
    .input(OrderTabFilter)
    .output(OrderTabCounts)
    .query(({ ctx, input }) => countOrders(ctx.services.database.pool, input)),

  detail: operatorProcedure
    .input(OrderReference)
    .output(OrderDetail)
    .query(({ ctx, input }) => showOrder(ctx.services.database, input.outTradeNo)),

  sync: permittedProcedure('order.sync')
    .input(OrderReference)
    .output(z.object({ outcome: SyncOutcome, order: OrderDetail }))
    .mutation(async ({ ctx, input }) => {
      const act = { outTradeNo: input.outTradeNo, ...ctx.actor }
      const outcome = await syncForOperator(ctx.services, act)
      return { outcome, order: await showOrder(ctx.services.database, input.outTradeNo) }
    }),

  close: permittedProcedure('order.close')
    .input(OrderReference)
    .output(z.object({ outcome: SyncOutcome, order: OrderDetail }))
    .mutation(async ({ ctx, input }) => {
      const act = { outTradeNo: input.outTradeNo, ...ctx.actor }
      const outcome = await closeForOperator(ctx.services, act)
      return { outcome, order: await showOrder(ctx.services.database, input.outTradeNo) }
    }),

  decide: permittedProcedure('order.decide')
    .input(DecideParked)
    .output(OrderDetail)
    .mutation(async ({ ctx, input }) => {
      const { pool } = ctx.services.database
      await decideParked(pool, { ...input, ...ctx.actor })
      return showOrder(ctx.services.database, input.outTradeNo)
    }),

  decideLate: permittedProcedure('order.decide_late')
    .input(DecideLate)
    .output(OrderDetail)
    .mutation(async ({ ctx, input }) => {
      const { pool } = ctx.services.database
      await decideLate(pool, { ...input, ...ctx.actor })
      return showOrder(ctx.services.database, input.outTradeNo)
    }),
})
