import { randomUUID } from 'node:crypto'
import { closeUnpaidOrder } from '../../src/payments/settle-order.ts'
import type { Handset, Phone, VirtualPurchase } from './phone.ts'
import type { TestWorld } from './test-world.ts'
import { numberIn } from './virtual-shop.ts'

export const virtualOf = ({ services: { virtual } }: TestWorld) => {
  if (!virtual) throw new Error('this world has no virtual payment')
  return virtual
}

type Buying = { system?: Handset; planCode?: string }

/** An order that the platform knows as paid, and that is unpaid here: nobody was told. */
export async function payInSecret(
  phone: Phone,
  { system = 'android', ...wish }: Buying = {},
): Promise<string> {
  const purchase = await phone.buysVirtually({ ...wish, system })
  await phone.paysVirtually(purchase, { system, silent: true })
  return purchase.order.out_trade_no
}

/** Two attempts of one order, both of them paid: the number of the order, and that of the second attempt. */
export async function payTwice(world: TestWorld, phone: Phone, system: Handset = 'android') {
  const key = randomUUID()
  const sheet = async (): Promise<VirtualPurchase> => {
    const purchase = await phone.buysVirtually({ key, system })
    world.platform.openSheet(purchase.payment_params, { openid: phone.openid, system })
    return purchase
  }
  const first = await sheet()
  await world.passTime({ seconds: 11 })
  const transactionId = numberIn(await sheet())
  await world.platform.paySheet(numberIn(first))
  const paySecond = () => world.platform.paySheet(transactionId, { once: true })
  return { outTradeNo: first.order.out_trade_no, transactionId, paySecond }
}

/** An order that was paid after it had expired and was closed. */
export async function payTooLate(
  world: TestWorld,
  phone: Phone,
  { system = 'android', ...wish }: Buying = {},
) {
  const purchase = await phone.buysVirtually({ ...wish, system })
  const outTradeNo = purchase.order.out_trade_no
  world.platform.openSheet(purchase.payment_params, { openid: phone.openid, system })
  await world.passTime({ minutes: 31 })
  const how = { channel: 'virtual', confirmedBy: 'sweep', requestId: null, reason: 'expired' } as const
  await closeUnpaidOrder(world.services, { outTradeNo, ...how })
  await world.platform.paySheet(outTradeNo)
  return outTradeNo
}

/** A refund that somebody made elsewhere, as a push tells it. Answers the status that the push got. */
export async function tellRefund({ platform }: TestWorld, said: Record<string, unknown>) {
  const [delivery] = await platform.pushEvent({
    Event: 'xpay_refund_notify',
    OpenId: 'oPayer',
    MchRefundId: '',
    WxOrderId: 'wxo1',
    RefundFee: 2900,
    RetCode: 0,
    RetMsg: '',
    RefundStartTimestamp: 1_795_330_000,
    RefundSuccTimestamp: 1_795_330_100,
    RetryTimes: 0,
    ...said,
  })
  return delivery?.status
}
