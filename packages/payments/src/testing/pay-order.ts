import { createPublicKey, verify } from 'node:crypto'
import type { PaymentParams } from '../payments.ts'
import { paymentParamsMessage } from '../signature.ts'
import { announce, paymentAsItIs } from './deliver-notifications.ts'
import type { Delivery } from './notification-types.ts'
import { bankTypeUnder } from './order-parameters.ts'
import type { PlatformOrder } from './platform-records.ts'
import { type PlatformState, randomText, saveOrder } from './platform-state.ts'
import type { PaymentChanges } from './platform-types.ts'

const PREPAY_LIVES_MS = 2 * 3_600_000

/** What `wx.requestPayment` fails with; the message is its `errMsg`. */
export class PhoneError extends Error {
  constructor(reason: string) {
    super(`requestPayment:fail ${reason}`)
    this.name = 'PhoneError'
  }
}

/** The payer presses "pay": the order is paid and the merchant told. Throws PhoneError where the phone would. */
export async function payOrder(
  state: PlatformState,
  order: PlatformOrder,
  changes: PaymentChanges,
): Promise<Delivery[]> {
  refuseUnpayable(state, order, changes)
  const bankType = bankTypeUnder(order.limitPay)
  if (bankType === null) throw new PhoneError('没有可用的支付方式')
  const paidAt = changes.paidAt ?? state.now()
  // A past that a test makes up: the bills of those days know of it.
  if (changes.paidAt) state.bills.clear()
  order.payments.push({
    transactionId: `42000${transactionDigits(paidAt)}`,
    paidAt,
    payerOpenid: order.payerOpenid,
    bankType,
  })
  order.state = order.state === 'REFUND' ? 'REFUND' : 'SUCCESS'
  saveOrder(state, order)
  if (changes.silent) return []
  return announce(state, { about: paymentAsItIs(order), once: changes.once ?? false })
}

function refuseUnpayable(state: PlatformState, order: PlatformOrder, { late, again }: PaymentChanges): void {
  if (order.payments.length > 0 && !again) throw new PhoneError('该订单已支付')
  if (order.state === 'CLOSED' && !late) throw new PhoneError('订单已关闭')
  if (order.expiresAt && order.expiresAt <= state.now() && !late) throw new PhoneError('订单已过期')
}

/** A day and fifteen digits, as the numbers of WeChat Pay end. */
export function transactionDigits(at: Date): string {
  const day = at.toISOString().slice(0, 10).replaceAll('-', '')
  const rest = BigInt(`0x${randomText(8)}`)
    .toString()
    .padStart(20, '0')
    .slice(-15)
  return `${day}${rest}`
}

/** Finds the order behind payment params and checks them as WeChat does before it asks for money (protocol §3.3). */
export function orderOfParams(state: PlatformState, params: PaymentParams, openid: string): PlatformOrder {
  const prepayId = /^prepay_id=(.+)$/.exec(params.package)?.[1]
  const order = [...state.orders.values()].find(({ prepayIds }) =>
    prepayIds.some(({ id }) => id === prepayId),
  )
  const made = order?.prepayIds.find(({ id }) => id === prepayId)?.madeAt
  if (!order || !made) throw new PhoneError('支付验证签名失败: package')
  if (params.signType !== 'RSA') throw new PhoneError('支付验证签名失败: signType')
  if (typeof params.timeStamp !== 'string' || !/^\d{10}$/.test(params.timeStamp)) {
    throw new PhoneError('支付验证签名失败: timeStamp')
  }
  if (params.nonceStr === '' || params.nonceStr.length > 32)
    throw new PhoneError('支付验证签名失败: nonceStr')
  const message = Buffer.from(paymentParamsMessage({ ...params, appId: order.appId }), 'utf8')
  const merchantKey = createPublicKey(state.keys.merchant.certificate)
  if (!verify('RSA-SHA256', message, merchantKey, Buffer.from(params.paySign, 'base64'))) {
    throw new PhoneError('支付验证签名失败')
  }
  if (state.now().getTime() - made.getTime() > PREPAY_LIVES_MS) throw new PhoneError('prepay_id已过期')
  if (order.payerOpenid !== openid) throw new PhoneError('下单账号与支付账号不一致')
  return order
}
