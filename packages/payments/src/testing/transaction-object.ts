import { chinaTime } from '../endpoints/orders.ts'
import type { InjectedFaults } from './fault-injection.ts'
import type { NotificationChanges } from './notification-types.ts'
import type { PlatformOrder, PlatformPayment } from './platform-records.ts'

const stateWords = {
  NOTPAY: '订单未支付',
  PAYERROR: '支付失败(其他原因，如银行返回失败)',
  SUCCESS: '支付成功',
  REFUND: '转入退款',
  CLOSED: '订单已关闭',
} as const

/** The transaction object of query answers and notifications (protocol §4.1). */
export function transactionObject(
  order: PlatformOrder,
  changes: NotificationChanges = {},
): Record<string, unknown> {
  const { outTradeNo, attach, currency } = order
  const common = {
    appid: changes.appId ?? order.appId,
    mchid: changes.mchId ?? order.mchId,
    out_trade_no: changes.outTradeNo ?? outTradeNo,
    ...(attach !== null && { attach }),
  }
  const payment = lastPayment(order)
  const tradeState = changes.tradeState ?? order.state
  const payer = { openid: changes.payerOpenid ?? payment?.payerOpenid ?? order.payerOpenid }
  const total = changes.amountFen ?? order.amountFen
  const amount = {
    total,
    payer_total: total,
    currency: changes.currency ?? currency,
    payer_currency: currency,
  }
  if (!payment)
    return { ...common, trade_state: tradeState, trade_state_desc: stateWords[order.state], payer, amount }
  return {
    ...common,
    transaction_id: changes.transactionId ?? payment.transactionId,
    trade_type: 'JSAPI',
    trade_state: tradeState,
    trade_state_desc: stateWords[order.state],
    bank_type: payment.bankType,
    success_time: chinaTime(changes.paidAt ?? payment.paidAt),
    payer,
    amount,
    ...(order.deviceId !== null && { scene_info: { device_id: order.deviceId } }),
    promotion_detail: [],
  }
}

const lastPayment = (order: PlatformOrder): PlatformPayment | undefined => order.payments.at(-1)

/** What an injected fault puts into a transaction instead of the truth. */
export function faultyFacts(order: PlatformOrder, faults: InjectedFaults): NotificationChanges {
  return {
    ...(faults.has('wrong_amount') && { amountFen: order.amountFen + 1 }),
    ...(faults.has('wrong_app_id') && { appId: `${order.appId.slice(0, -4)}0000` }),
    ...(faults.has('wrong_mch_id') && { mchId: `${order.mchId.slice(0, -4)}0000` }),
    ...(faults.has('wrong_currency') && { currency: 'USD' }),
    ...(faults.has('wrong_payer') && { payerOpenid: 'oSomebodyElse00000000000000' }),
  }
}
