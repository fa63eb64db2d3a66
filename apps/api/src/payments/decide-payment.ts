import type { ConfirmedPayment } from '@meridian/payments'
import { isAnonymised } from '../orders/anonymise-payer.ts'

/** The terms of an order that a payment must meet. */
export type PayableOrder = {
  amountFen: number
  currency: string
  appId: string
  mchId: string
  payerOpenid: string
  transactionId: string | null
}

/** What differs, by field: what we agreed on and what the platform said. */
export type Differences = Record<string, { ours: string | number | null; theirs: string | number | null }>

export type PaymentDecision =
  | { verdict: 'order_unknown' }
  | { verdict: 'mismatch'; fields: string[]; differs: Differences }
  | { verdict: 'already_paid' }
  | { verdict: 'second_transaction' }
  | { verdict: 'pay'; payerDiffers: boolean }

const comparedFields = ['amountFen', 'currency', 'appId', 'mchId'] as const

/**
 * The one comparison of what was paid with what was ordered, whichever way the payment was confirmed. A wrong payer
 * alone is flagged, not refused: the money is here.
 */
export function decidePayment(order: PayableOrder | null, payment: ConfirmedPayment): PaymentDecision {
  if (!order) return { verdict: 'order_unknown' }
  const fields = comparedFields.filter((field) => order[field] !== payment[field])
  if (fields.length > 0) {
    const differs = Object.fromEntries(
      fields.map((field) => [field, { ours: order[field], theirs: payment[field] }]),
    )
    return { verdict: 'mismatch', fields, differs }
  }
  if (order.transactionId === payment.transactionId) return { verdict: 'already_paid' }
  if (order.transactionId !== null) return { verdict: 'second_transaction' }
  return {
    verdict: 'pay',
    payerDiffers:
      payment.payerOpenid !== null &&
      payment.payerOpenid !== order.payerOpenid &&
      !isAnonymised(order.payerOpenid),
  }
}
