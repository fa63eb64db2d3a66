import type { TestWorld } from './test-world.ts'

/** One more payment of an order that is paid, of which the platform tells; `paidAt` in whole seconds, now without it. */
export async function payAgain(world: TestWorld, outTradeNo: string, paidAt?: Date) {
  await world.platform.pay(outTradeNo, { again: true, silent: true, ...(paidAt && { paidAt }) })
  const transactionId = world.platform.orders.get(outTradeNo)?.payments.at(-1)?.transactionId ?? ''
  await world.platform.deliver(world.platform.notification(outTradeNo, { transactionId }))
  return { outTradeNo, transactionId }
}
