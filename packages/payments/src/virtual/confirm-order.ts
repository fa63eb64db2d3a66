import { confirmPayment } from '../confirmed-payment.ts'
import { type ConfirmedRefund, confirmRefund, type RefundStatus } from '../confirmed-refund.ts'
import type { VirtualOrder } from './virtual-order.ts'
import type { VirtualAnswer } from './virtual-payments.ts'

type Asked = { appId: string; payerOpenid: string }

/**
 * What an answer of `query_order` says of an attempt (virtual payment §3.3). The platform answers only who names the
 * payer, so that the openid of the question is the payer's. Apple's payments may tell no time of payment: then it is
 * when the order was made.
 */
export function confirmAttempt(order: VirtualOrder, { appId, payerOpenid }: Asked): VirtualAnswer {
  const { state, status } = order
  if (state === 'unpaid') return { requestId: null, state: 'not_paid', order }
  if (state === 'closed') return { requestId: null, state, order }
  if (state === 'unknown') return { requestId: null, state, tradeState: String(status), order }
  const payment = confirmPayment({
    channel: 'virtual',
    source: 'query',
    outTradeNo: order.number,
    transactionId: order.transactionId,
    amountFen: order.amountFen,
    currency: 'CNY',
    appId,
    payerOpenid,
    paidAt: order.paidAt ?? order.createdAt,
    goods: {
      env: order.env,
      productId: null,
      quantity: null,
      attach: null,
      paidFen: order.paidFen,
      byApple: order.byApple,
    },
  })
  const isRefunded = state === 'refunding' || state === 'refunded'
  return { requestId: null, state: isRefunded ? 'refunded' : 'paid', payment, order }
}

/** Only these two end a refund: 5, 9 and 10 are on the way (virtual payment §3.3, §9). */
const ends: Readonly<Record<number, RefundStatus>> = { 7: 'closed', 8: 'succeeded' }

/** What an answer says of a refund that was asked for by its own number (virtual payment §3.2, §3.3). */
export function confirmVirtualRefund(refund: VirtualOrder): ConfirmedRefund {
  const status = ends[refund.status] ?? 'processing'
  return confirmRefund({
    channel: 'virtual',
    source: 'query',
    outRefundNo: refund.number,
    refundId: refund.wxOrderId ?? refund.number,
    outTradeNo: null,
    transactionId: null,
    status,
    amountFen: refund.refundFen ?? refund.amountFen,
    totalFen: null,
    currency: null,
    succeededAt: status === 'succeeded' ? refund.paidAt : null,
    mchId: null,
  })
}
