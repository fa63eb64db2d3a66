import { createPayments, systemRuntime } from '@meridian/payments'
import { createPlatform } from '@meridian/payments/testing'
import type { VerifiedDelivery } from '../../src/notifications/record-notification.ts'

/** A notification of a payment as only the platform can make one: signed, and verified. */
export async function samplePayment() {
  const platform = createPlatform()
  const outTradeNo = 'M00000000000000000000000001'
  platform.plantOrder({ outTradeNo, amountFen: 2900, payerOpenid: 'oPayer' })
  await platform.pay(outTradeNo, { silent: true })
  const { headers, body: text } = platform.notification(outTradeNo)
  const settings = platform.settings('http://127.0.0.1:1', { notifyUrl: 'http://127.0.0.1:1/notify' })
  const body = Buffer.from(text)
  const notification = createPayments(settings, systemRuntime).readNotification({ headers, body })
  if (notification.kind !== 'payment') throw new Error('the sample notification is of no payment')
  const delivery: VerifiedDelivery = { notification, headers, body }
  return { payment: notification.payment, delivery }
}
