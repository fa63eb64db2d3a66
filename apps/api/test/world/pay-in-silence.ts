import type { NotificationChanges } from '@meridian/payments/testing'
import type { TestWorld } from './test-world.ts'

/** A new person with an order that the platform holds as paid, and of which we have not been told. */
export async function payInSilence(world: TestWorld, planCode = 'monthly') {
  const phone = await world.phone()
  const purchase = await phone.buys(planCode)
  await phone.pays(purchase, { silent: true })
  return { phone, outTradeNo: purchase.order.out_trade_no }
}

/** The platform tells of the payment of an order, with some of its members otherwise. */
export const deliver = ({ platform }: TestWorld, outTradeNo: string, changes: NotificationChanges = {}) =>
  platform.deliver(platform.notification(outTradeNo, changes))
