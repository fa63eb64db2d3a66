import type { VirtualOrderRecord, VirtualRefundRecord } from './platform-records.ts'
import type { PlatformState } from './platform-state.ts'

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

const DAY_MS = 86_400_000
/** How long after the payment a sum reaches the merchant, and what the platform keeps of it (virtual payment §1.3). */
const settlements = {
  ordinary: { afterMs: 3 * DAY_MS, feePercent: 1 },
  apple: { afterMs: 60 * DAY_MS, feePercent: 12 },
} as const

function settlementObject(order: VirtualOrderRecord, { now, virtual }: PlatformState) {
  const terms = settlements[order.byApple ? 'apple' : 'ordinary']
  const afterMs = virtual.settlesAfterMs ?? terms.afterMs
  const at = order.paidAt && new Date(order.paidAt.getTime() + afterMs)
  if (!at || at > now()) return { sett_state: 0 }
  const fee = Math.ceil((order.amountFen * terms.feePercent) / 100)
  return { sett_state: 2, sett_time: seconds(at), platform_fee_fen: fee, cps_fee_fen: 0 }
}

/** An order as `query_order` shows it (virtual payment §3.2). */
export const orderObject = (order: VirtualOrderRecord, state: PlatformState) => ({
  order_id: order.number,
  wx_order_id: order.wxOrderId,
  channel_order_id: order.channelOrderId,
  wxpay_order_id: order.transactionId ?? '',
  status: order.status,
  order_type: order.byApple ? 7 : 0,
  order_fee: order.amountFen,
  paid_fee: order.paidAt ? order.amountFen : 0,
  left_fee: order.leftFen,
  create_time: seconds(order.createdAt),
  update_time: seconds(order.paidAt ?? order.createdAt),
  paid_time: order.paidAt ? seconds(order.paidAt) : 0,
  biz_type: 0,
  env_type: order.env === 0 ? 1 : 2,
  ...settlementObject(order, state),
})

/** A refund, asked for by its own number. */
export const refundObject = (
  refund: VirtualRefundRecord,
  order: VirtualOrderRecord,
  state: PlatformState,
) => ({
  ...orderObject(order, state),
  order_id: refund.number,
  wx_order_id: refund.wxRefundId,
  order_type: refund.byApple ? 8 : 1,
  status: refund.status,
  refund_fee: refund.amountFen,
  create_time: seconds(refund.createdAt),
  paid_time: refund.refundedAt ? seconds(refund.refundedAt) : 0,
})
