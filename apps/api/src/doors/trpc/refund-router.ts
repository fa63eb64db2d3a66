import {
  ContradictionDecision,
  OrderReference,
  RefundDetail,
  RefundFilter,
  RefundListQuery,
  RefundOrder,
  RefundPreview,
  RefundPreviewQuery,
  RefundRedirect,
  RefundReference,
  RefundRow,
  RefundStopRequest,
  RefundStopVerdict,
  RefundTabCounts,
  RefundVerdict,
  RowTotals,
  SecondPayment,
  SecondPaymentReturn,
  twoWayPageOf,
} from '@meridian/contracts'
import { z } from 'zod'
import { decideContradiction } from '../../refunds/decide-contradiction.ts'
import { decideRequest } from '../../refunds/decide-request.ts'
import { decideStop } from '../../refunds/decide-stop.ts'
import { countRefunds, listRefunds, sumRefunds } from '../../refunds/list-refunds.ts'
import { previewRefund } from '../../refunds/preview-refund.ts'
import { requestRefund } from '../../refunds/request-refund.ts'
import { requestStop } from '../../refunds/request-stop.ts'
import { redirectRefund, retryRefund } from '../../refunds/retry-refund.ts'
import { listSecondPayments, returnSecondPayment } from '../../refunds/return-second-payment.ts'
import { showRefund } from '../../refunds/show-refund.ts'
import type { ConsoleContext } from './context.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

type Signed = ConsoleContext & { session: { operator: { id: string } } }

const show = ({ services, session }: Signed, outRefundNo: string) =>
  showRefund(services.database.pool, { outRefundNo, operatorId: session.operator.id })

export const refundRouter = router({
  list: operatorProcedure
    .input(RefundListQuery)
    .output(twoWayPageOf(RefundRow))
    .query(({ ctx, input }) => listRefunds(ctx.services.database.pool, input)),

  totals: operatorProcedure
    .input(RefundFilter)
    .output(RowTotals)
    .query(({ ctx, input }) => sumRefunds(ctx.services.database.pool, input)),

  counts: operatorProcedure
    .input(RefundFilter.omit({ status: true }))
    .output(RefundTabCounts)
    .query(({ ctx, input }) => countRefunds(ctx.services.database.pool, input)),

  detail: operatorProcedure
    .input(RefundReference)
    .output(RefundDetail)
    .query(({ ctx, input }) => show(ctx, input.outRefundNo)),

  preview: operatorProcedure
    .input(RefundPreviewQuery)
    .output(RefundPreview)
    .query(({ ctx, input }) => previewRefund(ctx.services.database.pool, input)),

  secondPayments: operatorProcedure
    .input(OrderReference)
    .output(z.object({ items: z.array(SecondPayment) }))
    .query(async ({ ctx, input }) => ({
      items: await listSecondPayments(ctx.services.database.pool, input.outTradeNo),
    })),

  returnSecondPayment: permittedProcedure('refund.request')
    .input(SecondPaymentReturn)
    .output(RefundDetail)
    .mutation(async ({ ctx, input }) => {
      const { outRefundNo } = await returnSecondPayment(ctx.services.database.pool, input, ctx.actor)
      return show(ctx, outRefundNo)
    }),

  request: permittedProcedure('refund.request')
    .input(RefundOrder)
    .output(RefundDetail)
    .mutation(async ({ ctx, input }) => {
      const { address, requestId } = ctx.from
      const by = { operatorId: ctx.actor.operatorId, address, requestId }
      const { outRefundNo } = await requestRefund(ctx.services.database.pool, { ...input, ...by })
      return show(ctx, outRefundNo)
    }),

  decide: permittedProcedure('refund.approve')
    .input(RefundVerdict)
    .output(RefundDetail)
    .mutation(async ({ ctx, input }) => {
      await decideRequest(ctx.services.database.pool, { ...input, ...ctx.actor })
      return show(ctx, input.outRefundNo)
    }),

  decideContradiction: permittedProcedure('refund.approve')
    .input(ContradictionDecision)
    .output(RefundDetail)
    .mutation(async ({ ctx, input }) => {
      await decideContradiction(ctx.services.database.pool, { ...input, ...ctx.actor })
      return show(ctx, input.outRefundNo)
    }),

  retry: permittedProcedure('refund.retry')
    .input(RefundReference)
    .output(RefundDetail)
    .mutation(async ({ ctx, input }) => {
      await retryRefund(ctx.services, { ...input, ...ctx.actor })
      return show(ctx, input.outRefundNo)
    }),

  requestStop: permittedProcedure('refund.request')
    .input(RefundStopRequest)
    .output(RefundDetail)
    .mutation(async ({ ctx, input }) => {
      await requestStop(ctx.services.database.prisma, input, ctx.actor)
      return show(ctx, input.outRefundNo)
    }),

  decideStop: permittedProcedure('refund.approve')
    .input(RefundStopVerdict)
    .output(RefundDetail)
    .mutation(async ({ ctx, input }) => {
      await decideStop(ctx.services, { ...input, ...ctx.actor })
      return show(ctx, input.outRefundNo)
    }),

  redirect: permittedProcedure('refund.retry')
    .input(RefundRedirect)
    .output(RefundDetail)
    .mutation(async ({ ctx, input }) => {
      const { outRefundNo } = input
      const act = { outRefundNo, ...ctx.actor }
      await redirectRefund(ctx.services, act, input)
      return show(ctx, outRefundNo)
    }),
})
