import type { ConfirmedPayment } from '@meridian/payments'
import { asAgreed } from '../../apps/api/src/payments/agreed-payments.ts'
import type { Arrival } from '../../apps/api/src/payments/decide-payment.ts'
import { payAgreedStatement } from '../../apps/api/src/payments/pay-agreed.ts'
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

/** What the paid transition sends for payments that fit their orders, for a bare client to send. */
export const paidStatement = (deliveries: readonly Delivery[]): NamedStatement => {
  const told = deliveries.flatMap(({ payment, arrival }) => asAgreed(payment, arrival) ?? [])
  const { name, sql } = payAgreedStatement('jsapi', told)
  return { name: name ?? '', text: sql.text, values: sql.values }
}
