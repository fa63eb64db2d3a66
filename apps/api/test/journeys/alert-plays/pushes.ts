import type { TestWorld } from '../../world/test-world.ts'
import { openVirtualShop } from '../../world/virtual-shop.ts'
import { orderNumber, repeatable, type SomePlays } from './play.ts'

/** A push of an event of the mini-program, once more each time. */
const pushed = async (world: TestWorld, event: Record<string, unknown>) => {
  await openVirtualShop(world)
  return repeatable(() => world.platform.pushEvent(event))
}

/** A sheet that fails with this, for another buyer each time. */
const sheetFails = async (world: TestWorld, code: number) => {
  await openVirtualShop(world)
  return repeatable(async () => {
    const phone = await world.phone()
    const { order } = await phone.buysVirtually()
    const number = order.out_trade_no
    await phone.call(`/subscription/orders/${number}/sync`, {
      method: 'POST',
      body: { sheet_error: { code, number } },
    })
  })
}

/** What message pushes and sheets of virtual payment raise. */
export const pushes = {
  virtual_price_differs: {
    subject: /^monthly$/,
    raise: (world) => sheetFails(world, -15013),
  },
  virtual_payment_refused: { subject: /^app_key$/, raise: (world) => sheetFails(world, -15006) },
  complaint_received: {
    subject: orderNumber,
    raise: async (world) => {
      await openVirtualShop(world)
      const phone = await world.phone()
      const outTradeNo = await phone.buysAndPaysVirtually()
      return pushed(world, {
        Event: 'xpay_complaint_notify',
        OpenId: phone.openid,
        MchOrderId: outTradeNo,
        ComplaintTime: 1_795_330_000,
        RequestId: 'r1',
      })
    },
  },
  account_risk: {
    subject: /^punishment$/,
    raise: (world) =>
      pushed(world, { Event: 'xpay_wxpay_callback_notify', EventType: 'punishment', BusinessCode: 'B1' }),
  },
  coins_paid: {
    subject: /^xpay••••0001$/,
    raise: (world) =>
      pushed(world, { Event: 'xpay_coin_pay_notify', OpenId: 'oCoins', OutTradeNo: 'C000000001' }),
  },
} as const satisfies SomePlays
