import type { ConfirmedPayment } from '@meridian/payments'
import { findPayableOrderQuery } from '../../apps/api/src/orders/move-order.ts'
import { payStatement } from '../../apps/api/src/payments/apply-payment.ts'
import type { Arrival } from '../../apps/api/src/payments/decide-payment.ts'
import type { Services } from '../../apps/api/src/services.ts'
import type { SignedNotification } from './notifications.ts'

export type Delivery = { payment: ConfirmedPayment; arrival: Arrival }

/** What the notification door hands to the paid transition. */
export function deliveryOf(payments: Services['payments'], signed: SignedNotification): Delivery {
  const notification = payments?.readNotification(signed)
  if (notification?.kind !== 'payment') throw new Error('not a payment')
  const delivery = { ...signed, notification }
  return {
    payment: notification.payment,
    arrival: { confirmedBy: 'notification', requestId: notification.id, delivery },
  }
}

export type NamedStatement = { name: string; text: string; values: unknown[] }

/** What the paid transition sends for a payment that fits its order, for a bare client to send. */
export const paidStatements = ({ payment, arrival }: Delivery): NamedStatement[] =>
  [
    findPayableOrderQuery(payment),
    payStatement({ outTradeNo: payment.outTradeNo, payment }, { ...arrival, payerDiffers: false }),
  ].map(({ name, sql }) => ({ name: name ?? '', text: sql.text, values: sql.values }))
