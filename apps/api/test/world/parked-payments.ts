import { closeUnpaidOrder } from '../../src/payments/settle-order.ts'
import { setSetting } from './set-setting.ts'
import type { TestWorld } from './test-world.ts'

type Late = {
  planCode?: string
  /** The policy under which we are told of the payment; afterwards "activate" holds again. */
  policy?: 'ask' | 'refund'
  /** Whether the phone cancelled the order; else the sweep closed it. */
  cancelled?: boolean
}

/** An order whose payment came a minute after its end, when it had been closed. */
export async function payLate(world: TestWorld, { planCode, policy = 'ask', cancelled = false }: Late = {}) {
  const phone = await world.phone()
  const { order } = await phone.buys(planCode)
  const outTradeNo = order.out_trade_no
  const how = { channel: 'jsapi', confirmedBy: 'sweep', requestId: null, reason: 'expired' } as const
  if (cancelled) await phone.call(`/subscription/orders/${outTradeNo}/cancel`, { method: 'POST' })
  else await closeUnpaidOrder(world.services, { outTradeNo, ...how })
  const paidAt = new Date(new Date(order.expires_at).getTime() + 60_000)
  await world.platform.pay(outTradeNo, { late: true, silent: true, paidAt })
  await setSetting(world, 'late_payment_policy', policy)
  await world.platform.deliver(world.platform.notification(outTradeNo))
  await setSetting(world, 'late_payment_policy', 'activate')
  return { phone, outTradeNo }
}

/** A payment of which the platform says that the money went back already, by no refund of ours. */
export async function payRefundedElsewhere(world: TestWorld) {
  const phone = await world.phone()
  const purchase = await phone.buys()
  const outTradeNo = purchase.order.out_trade_no
  await phone.pays(purchase, { silent: true })
  const refund = { outRefundNo: `X${outTradeNo.slice(1)}`, outTradeNo, amountFen: 2900, totalFen: 2900 }
  await world.services.payments?.requestRefund(refund)
  await world.platform.settleRefund(refund.outRefundNo)
  await phone.syncs(outTradeNo)
  return { phone, outTradeNo }
}
