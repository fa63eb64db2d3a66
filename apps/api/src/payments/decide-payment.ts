import type { ConfirmedBy, NotificationOutcome, PaymentChannel } from '@meridian/contracts'
import type { ConfirmedPayment } from '@meridian/payments'
import type { VerifiedDelivery } from '../notifications/record-notification.ts'
import { isAnonymised } from '../orders/anonymise-payer.ts'

/** `ignored`: a push about a number that the platform does not know either. */
export type PaymentVerdict = Exclude<NotificationOutcome, 'deferred' | 'unreadable'>

/** How a confirmed payment reached us. */
export type Arrival = {
  confirmedBy: ConfirmedBy
  requestId: string | null
  operatorId?: string | null
  /** The configured environment of virtual payment, without which none of its payments grants. */
  env?: 0 | 1 | undefined
  /** The evidence to keep, where the platform notified us. */
  delivery?: VerifiedDelivery
  /** The platform says the money went back again by no refund of ours: paid, but no days until somebody decides. */
  refundedElsewhere?: boolean
}

/** Who or what brought it, for the timeline. */
export const traceOfArrival = ({ confirmedBy, requestId, operatorId = null }: Arrival) => ({
  channel: confirmedBy,
  requestId,
  operatorId,
})

/** The terms of an order that a payment must meet. */
export type PayableOrder = {
  channel: PaymentChannel
  amountFen: number
  currency: string
  appId: string
  mchId: string
  payerOpenid: string
  paymentNo: string | null
  virtualProductId: string | null
}

type Value = string | number | null

/** What differs, by field: what we agreed on and what the platform said. */
export type Differences = Record<string, { ours: Value; theirs: Value }>

export type PaymentDecision =
  | { verdict: 'order_unknown' }
  | { verdict: 'mismatch'; fields: string[]; differs: Differences }
  | { verdict: 'already_paid' }
  | { verdict: 'second_transaction' }
  | { verdict: 'pay'; payerDiffers: boolean }

/** The configured environment of virtual payment: a payment of another one never grants (SPEC §15). */
export type Environment = 0 | 1 | null

/**
 * Ours and theirs by field. Of virtual payment an answer tells less than a push does: what is not told is null and
 * taken as agreed (virtual payment §3.2, §4.4). JSAPI tells everything, or is no confirmed payment.
 */
function termsOf(
  order: PayableOrder,
  payment: ConfirmedPayment,
  env: Environment,
): Record<string, [Value, Value]> {
  const { amountFen, currency, appId, mchId, virtualProductId } = order
  const { goods } = payment
  return {
    channel: [order.channel, payment.channel],
    amountFen: [amountFen, payment.amountFen],
    currency: [currency, payment.currency],
    appId: [appId, payment.appId],
    mchId: [mchId, payment.mchId],
    ...(goods && {
      // Coupons of the platform are not ours to give: what was paid is the price (virtual payment §3.2, assumption in §9).
      paidFen: [amountFen, goods.paidFen],
      productId: [virtualProductId, goods.productId],
      quantity: [1, goods.quantity],
      env: [env, goods.env],
      // What is signed into each attempt (virtual payment §2.2).
      attach: [payment.outTradeNo, goods.attach],
    }),
  }
}

/**
 * The one comparison of what was paid with what was ordered, whichever way the payment was confirmed. A wrong payer
 * alone is flagged, not refused: the money is here.
 */
export function decidePayment(
  order: PayableOrder | null,
  payment: ConfirmedPayment,
  env: Environment,
): PaymentDecision {
  if (!order) return { verdict: 'order_unknown' }
  const differing = Object.entries(termsOf(order, payment, env)).flatMap(([field, [ours, theirs]]) =>
    theirs === null || ours === theirs ? [] : [{ field, ours, theirs }],
  )
  if (differing.length > 0) {
    const differs = Object.fromEntries(differing.map(({ field, ours, theirs }) => [field, { ours, theirs }]))
    return { verdict: 'mismatch', fields: differing.map(({ field }) => field), differs }
  }
  if (order.paymentNo === payment.paymentNo) return { verdict: 'already_paid' }
  if (order.paymentNo !== null) return { verdict: 'second_transaction' }
  return {
    verdict: 'pay',
    payerDiffers:
      payment.payerOpenid !== null &&
      payment.payerOpenid !== order.payerOpenid &&
      !isAnonymised(order.payerOpenid),
  }
}

/**
 * The terms of the order that this payment pays without anything to decide: what the order must have for the comparison
 * above to say so, where null stands for terms that were not told and are taken as agreed. Null where no order has them.
 */
export function termsAsAgreed(payment: ConfirmedPayment, env: Environment) {
  const { channel, amountFen, currency, appId, mchId, payerOpenid, goods } = payment
  const order = {
    ...{ channel, amountFen, currency, appId, paymentNo: null, virtualProductId: goods?.productId ?? null },
    ...{ mchId: mchId ?? '', payerOpenid: payerOpenid ?? '' },
  }
  const decision = decidePayment(order, payment, env)
  if (decision.verdict !== 'pay' || decision.payerDiffers) return null
  return { amountFen, currency, appId, mchId, payerOpenid, productId: order.virtualProductId }
}
