import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anOrder, openWorld, type World } from './world/world.ts'

describe.each(['public_key', 'certificate', 'mixed'] as const)(
  'an order, with keys in mode %s',
  (keyMode) => {
    let world: World
    beforeEach(async () => {
      world = await openWorld({ keyMode })
    })
    afterEach(() => world.close())

    it('is ordered, paid on the phone, notified and found paid', async () => {
      const { payments, platform, merchant } = world
      const order = anOrder()
      const { prepayId, requestId } = await payments.prepay(order)
      expect(requestId).toMatch(/-0$/)
      expect(await payments.queryOrder(order.outTradeNo)).toMatchObject({ state: 'not_paid' })

      const params = await payments.paymentParams(prepayId)
      expect(params.package).toBe(`prepay_id=${prepayId}`)
      const [delivery] = await platform.requestPayment(params, { openid: order.payerOpenid })
      expect(delivery?.status).toBe(204)

      const [read] = merchant.read
      expect(read).toMatchObject({
        kind: 'payment',
        eventType: 'TRANSACTION.SUCCESS',
        payment: {
          source: 'notification',
          outTradeNo: order.outTradeNo,
          amountFen: 7900,
          currency: 'CNY',
          appId: payments.appId,
          mchId: payments.mchId,
          payerOpenid: order.payerOpenid,
        },
      })
      const found = await payments.queryOrder(order.outTradeNo)
      expect(found).toMatchObject({ state: 'paid', payment: { source: 'query', amountFen: 7900 } })
      if (found.state !== 'paid') throw new Error('unreachable')
      expect(await payments.queryTransaction(found.payment.paymentNo)).toMatchObject({ state: 'paid' })
      expect(await payments.closeOrder(order.outTradeNo)).toBe('paid')
    })

    it('is closed, twice, and then cannot be ordered or paid', async () => {
      const { payments, platform } = world
      const order = anOrder()
      await payments.prepay(order)
      expect(await payments.closeOrder(order.outTradeNo)).toBe('closed')
      expect(await payments.closeOrder(order.outTradeNo)).toBe('closed')
      expect(await payments.queryOrder(order.outTradeNo)).toMatchObject({ state: 'closed' })
      await expect(payments.prepay(order)).rejects.toMatchObject({ code: 'ORDER_CLOSED', advice: 'give_up' })
      await expect(platform.pay(order.outTradeNo)).rejects.toThrow('订单已关闭')
    })

    it('that nobody placed is no such order', async () => {
      expect(await world.payments.queryOrder('M01NEVERPLACED')).toMatchObject({ state: 'no_such_order' })
      await expect(world.payments.closeOrder('M01NEVERPLACED')).rejects.toMatchObject({ status: 404 })
    })
  },
)
