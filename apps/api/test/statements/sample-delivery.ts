import { createMiniProgram, createPayments, systemRuntime } from '@meridian/payments'
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

/** A push of a virtual payment, likewise: sealed by the platform, and opened. */
export async function samplePush() {
  const platform = createPlatform()
  const {
    appId,
    appSecret,
    virtual: settings,
  } = platform.settings('http://127.0.0.1:1', {
    notifyUrl: 'http://127.0.0.1:1/notify',
  })
  const virtual = createMiniProgram(
    { appId, appSecret, baseUrl: 'http://127.0.0.1:1' },
    systemRuntime,
  ).virtualPayments(settings)
  platform.usePush({ url: 'http://127.0.0.1:1/push' })
  const { url, body: text } = platform.push({
    Event: 'xpay_goods_deliver_notify',
    OpenId: 'oPayer',
    OutTradeNo: 'M00000000000000000000000001',
    Env: 0,
    GoodsInfo: { ProductId: 'monthly', Quantity: 1, ActualPrice: 2900 },
  })
  const headers = Object.fromEntries(new URL(url).searchParams)
  const body = Buffer.from(text)
  const notification = virtual.readPush(headers, body)
  if (notification.kind !== 'payment') throw new Error('the sample push is of no payment')
  const delivery: VerifiedDelivery = { notification, headers, body }
  return { payment: notification.payment, delivery }
}
