import { closeUnpaidOrder } from '../../src/payments/settle-order.ts'
import { setSetting } from './set-setting.ts'
import type { TestWorld } from './test-world.ts'

const setPolicy = (world: TestWorld, policy: 'ask' | 'activate') =>
  setSetting(world, 'late_payment_policy', policy)

/** An order of 268 yuan whose payment came after it had been closed: it waits for a decision, under the policy "ask". */
export async function payLate(world: TestWorld): Promise<string> {
  const { order } = await (await world.phone()).buys('yearly')
  const outTradeNo = order.out_trade_no
  const how = { confirmedBy: 'sweep', requestId: null, reason: 'expired' } as const
  await closeUnpaidOrder(world.services, { outTradeNo, ...how })
  const paidAt = new Date(new Date(order.expires_at).getTime() + 60_000)
  await world.platform.pay(outTradeNo, { late: true, silent: true, paidAt })
  await setPolicy(world, 'ask')
  await world.platform.deliver(world.platform.notification(outTradeNo))
  await setPolicy(world, 'activate')
  return outTradeNo
}
