import {
  AppleInquiryListQuery,
  AppleInquiryRow,
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
  RefundTabFilter,
  RefundTotals,
  RefundVerdict,
  SecondPayment,
  SecondPaymentReturn,
  twoWayPageOf,
} from '@meridian/contracts'
import { z } from 'zod'
import { decideContradiction } from '../../refunds/contradiction.ts'
import { decideRequest } from '../../refunds/decide-request.ts'
import { decideStop } from '../../refunds/decide-stop.ts'
import { listInquiries } from '../../refunds/list-inquiries.ts'
import { countRefunds, listRefunds, sumRefunds } from '../../refunds/list-refunds.ts'
import { previewRefund } from '../../refunds/preview-refund.ts'
import { requestRefund } from '../../refunds/request-refund.ts'
import { requestStop } from '../../refunds/request-stop.ts'
import { redirectRefund, retryRefund } from '../../refunds/retry-refund.ts'
import { listSecondPayments, returnSecondPayment } from '../../refunds/return-second-payment.ts'
import { showRefund } from '../../refunds/show-refund.ts'
import { onPool, onPoolNaming, onPrisma, showingAfter } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const show = onPool((pool, { outRefundNo }: { outRefundNo: string }, { operatorId }) =>
  showRefund(pool, { outRefundNo, operatorId }),
)
const thenShow = showingAfter(show)

export const refundRouter = router({
  list: operatorProcedure
    .input(RefundListQuery)
    .output(twoWayPageOf(RefundRow))
    .query(onPoolNaming(listRefunds)),

  totals: operatorProcedure.input(RefundFilter).output(RefundTotals).query(onPool(sumRefunds)),

  counts: operatorProcedure.input(RefundTabFilter).output(RefundTabCounts).query(onPool(countRefunds)),

  detail: operatorProcedure.input(RefundReference).output(RefundDetail).query(show),

  inquiries: operatorProcedure
    .input(AppleInquiryListQuery)
    .output(twoWayPageOf(AppleInquiryRow))
    .query(onPoolNaming(listInquiries)),

  preview: operatorProcedure.input(RefundPreviewQuery).output(RefundPreview).query(onPool(previewRefund)),

  secondPayments: operatorProcedure
    .input(OrderReference)
    .output(z.object({ items: z.array(SecondPayment) }))
    .query(onPool(async (pool, { outTradeNo }) => ({ items: await listSecondPayments(pool, outTradeNo) }))),

  returnSecondPayment: permittedProcedure('refund.request')
    .input(SecondPaymentReturn)
    .output(RefundDetail)
    .mutation(async ({ ctx, input }) => {
      const returned = await returnSecondPayment(ctx.services.database.pool, input, ctx.actor)
      return show({ ctx, input: returned })
    }),

  request: permittedProcedure('refund.request')
    .input(RefundOrder)
    .output(RefundDetail)
    .mutation(async ({ ctx, input }) => {
      const { address, requestId } = ctx.from
      const by = { operatorId: ctx.actor.operatorId, address, requestId }
      return show({ ctx, input: await requestRefund(ctx.services.database.pool, { ...input, ...by }) })
    }),

  decide: permittedProcedure('refund.approve')
    .input(RefundVerdict)
    .output(RefundDetail)
    .mutation(thenShow(onPool((pool, input, actor) => decideRequest(pool, { ...input, ...actor })))),

  decideContradiction: permittedProcedure('refund.approve')
    .input(ContradictionDecision)
    .output(RefundDetail)
    .mutation(thenShow(onPool((pool, input, actor) => decideContradiction(pool, { ...input, ...actor })))),

  retry: permittedProcedure('refund.retry')
    .input(RefundReference)
    .output(RefundDetail)
    .mutation(thenShow(({ ctx, input }) => retryRefund(ctx.services, { ...input, ...ctx.actor }))),

  requestStop: permittedProcedure('refund.request')
    .input(RefundStopRequest)
    .output(RefundDetail)
    .mutation(thenShow(onPrisma(requestStop))),

  decideStop: permittedProcedure('refund.approve')
    .input(RefundStopVerdict)
    .output(RefundDetail)
    .mutation(thenShow(({ ctx, input }) => decideStop(ctx.services, { ...input, ...ctx.actor }))),

  redirect: permittedProcedure('refund.retry')
    .input(RefundRedirect)
    .output(RefundDetail)
    .mutation(
      thenShow(({ ctx, input }) =>
        redirectRefund(ctx.services, { outRefundNo: input.outRefundNo, ...ctx.actor }, input),
      ),
    ),
})
