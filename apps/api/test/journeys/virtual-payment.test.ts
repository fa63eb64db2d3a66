import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, type Phone } from '../world/phone.ts'
import type { TestWorld } from '../world/test-world.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { numberIn, openVirtualShop, setPolicy } from '../world/virtual-shop.ts'
import { alertsOf } from '../world/watch.ts'

const world = useTestWorld()
let phone: Phone
beforeAll(async () => {
  await openVirtualShop(world)
  phone = await world.phone()
})

const attemptsOf = (outTradeNo: string) =>
  world.query<{ number: string; state: string }>(
    `SELECT a.number, a.state FROM order_attempts a JOIN orders o ON o.id = a.order_id
     WHERE o.out_trade_no = $1 ORDER BY a.signed_at, a.number`,
    [outTradeNo],
  )

describe('a purchase by virtual payment', () => {
  test('is signed for the order, paid on the sheet, and activated by the push', async () => {
    const purchase = await phone.buysVirtually({ planCode: 'yearly' })
    const { out_trade_no: outTradeNo } = purchase.order
    expect(purchase.order).toMatchObject({ channel: 'virtual', status: 'prepay' })
    expect(JSON.parse(purchase.payment_params.signData)).toMatchObject({
      outTradeNo,
      productId: 'yearly',
      goodsPrice: 26_800,
      buyQuantity: 1,
      env: 0,
    })
    const [delivery] = await phone.paysVirtually(purchase)
    expect(delivery?.status).toBe(200)
    expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid', channel: 'virtual' })
    expect((await phone.subscription()).remaining_days).toBe(365)
    expect(await attemptsOf(outTradeNo)).toEqual([{ number: outTradeNo, state: 'paid' }])
  })
})
