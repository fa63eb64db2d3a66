import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anOrder, openWorld, type World } from './world/world.ts'

describe('a refund', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ refundsSettleAfterMs: null, keyMode: 'mixed' })
  })
  afterEach(() => world.close())

  async function paidOrder() {
    const order = anOrder()
    await world.payments.prepay(order)
    await world.platform.pay(order.outTradeNo)
    return order
  }
  const aRefund = (outTradeNo: string, amountFen = 3000) => ({
    outRefundNo: `R${outTradeNo}${amountFen}`,
    outTradeNo,
    amountFen,
    totalFen: 7900,
    reason: '不想要了',
  })

  it('is accepted, then succeeds, is notified and found', async () => {
    const { payments, platform, merchant } = world
    const { outTradeNo } = await paidOrder()
    const refund = aRefund(outTradeNo)
    const accepted = await payments.requestRefund(refund)
    expect(accepted.refund).toMatchObject({
      status: 'processing',
      amountFen: 3000,
      totalFen: 7900,
      source: 'query',
    })

    const [delivery] = await platform.settleRefund(refund.outRefundNo)
    expect(delivery?.status).toBe(204)
    const read = merchant.read.at(-1)
    expect(read).toMatchObject({
      kind: 'refund',
      eventType: 'REFUND.SUCCESS',
      refund: {
        status: 'succeeded',
        outRefundNo: refund.outRefundNo,
        mchId: payments.mchId,
        source: 'notification',
      },
    })
    const found = await payments.queryRefund(refund.outRefundNo)
    expect(found).toMatchObject({ state: 'known', refund: { status: 'succeeded' } })
    expect(await payments.queryOrder(outTradeNo)).toMatchObject({
      state: 'refunded',
      payment: { amountFen: 7900 },
    })
  })

  it('repeated with the same number is one refund', async () => {
    const { outTradeNo } = await paidOrder()
    const first = await world.payments.requestRefund(aRefund(outTradeNo))
    const again = await world.payments.requestRefund(aRefund(outTradeNo))
    expect(again.refund.refundId).toBe(first.refund.refundId)
    expect(world.platform.refunds.size).toBe(1)
  })

  it('never exceeds the order, whose history the platform sums too', async () => {
    const { outTradeNo } = await paidOrder()
    await world.payments.requestRefund(aRefund(outTradeNo, 5000))
    await expect(world.payments.requestRefund(aRefund(outTradeNo, 2901))).rejects.toMatchObject({
      reason: 'refused',
      code: 'INVALID_REQUEST',
      advice: 'fix',
    })
    expect((await world.payments.requestRefund(aRefund(outTradeNo, 2900))).refund.status).toBe('processing')
  })

  it('is refused after fifty of one order and after a year', async () => {
    const { outTradeNo } = await paidOrder()
    for (let fen = 1; fen <= 50; fen += 1) await world.payments.requestRefund(aRefund(outTradeNo, fen))
    await expect(world.payments.requestRefund(aRefund(outTradeNo, 51))).rejects.toMatchObject({ status: 400 })

    const old = anOrder()
    await world.payments.prepay(old)
    await world.platform.pay(old.outTradeNo, { paidAt: new Date(Date.now() - 366 * 86_400_000) })
    await expect(world.payments.requestRefund(aRefund(old.outTradeNo))).rejects.toMatchObject({
      code: 'TRADE_OVERDUE',
    })
  })

  it('that the card does not take is sent on to another card, with number and name encrypted', async () => {
    const { payments, platform, merchant } = world
    const { outTradeNo } = await paidOrder()
    const refund = aRefund(outTradeNo)
    const { refund: accepted } = await payments.requestRefund(refund)
    await platform.settleRefund(refund.outRefundNo, 'ABNORMAL')
    expect(merchant.read.at(-1)).toMatchObject({
      eventType: 'REFUND.ABNORMAL',
      refund: { status: 'abnormal' },
    })

    const { refundId, outRefundNo } = accepted
    const bankAccount = '6222000000000000'
    const card = { to: 'user_bank_card', bankType: 'ICBC_DEBIT', bankAccount, realName: '张三' } as const
    const sent = await payments.applyAbnormalRefund({ refundId, outRefundNo, ...card })
    expect(sent.refund.status).toBe('processing')
    const request = platform.requests.at(-1)
    expect(request?.body).not.toContain(bankAccount)
    expect(request?.headers['wechatpay-serial']).toBe(world.settings.platformKeys[0]?.id)
  })

  it('that nobody asked for is no such refund, and closed ones are told', async () => {
    const { payments, platform, merchant } = world
    expect(await payments.queryRefund('RNOBODY')).toMatchObject({ state: 'no_such_refund' })
    const { outTradeNo } = await paidOrder()
    await payments.requestRefund(aRefund(outTradeNo))
    await platform.settleRefund(aRefund(outTradeNo).outRefundNo, 'CLOSED')
    expect(merchant.read.at(-1)).toMatchObject({ eventType: 'REFUND.CLOSED', refund: { status: 'closed' } })
  })

  it('asked for while the platform is too busy may have been accepted: the advice is to ask', async () => {
    const { outTradeNo } = await paidOrder()
    world.platform.faults.add({ kind: 'rate_limited', at: 'refund', times: 1 })
    await expect(world.payments.requestRefund(aRefund(outTradeNo))).rejects.toMatchObject({
      status: 429,
      advice: 'ask_again',
    })
  })

  it.each([
    { outRefundNo: 'R 1' },
    { amountFen: 0 },
    { amountFen: 0.5 },
    { amountFen: 7901 },
    { reason: '谢谢😀' },
    { reason: 'x'.repeat(81) },
  ])('with %o is not even sent', async (wrong) => {
    const asked = world.platform.requests.length
    const refund = { ...aRefund('M01TEST0000000000'), ...wrong }
    await expect(world.payments.requestRefund(refund)).rejects.toMatchObject({
      reason: 'invalid_request',
      advice: 'fix',
    })
    expect(world.platform.requests).toHaveLength(asked)
  })
})

it('a refund settles by itself and can be made to fail by an injected fault', async () => {
  const world = await openWorld({ refundsSettleAfterMs: 1 })
  try {
    const order = anOrder()
    await world.payments.prepay(order)
    await world.platform.pay(order.outTradeNo)
    world.platform.faults.add({ kind: 'refund_abnormal', at: 'refund', times: 1 })
    const { outTradeNo } = order
    await world.payments.requestRefund({ outRefundNo: 'RABNORMAL', outTradeNo, amountFen: 1, totalFen: 7900 })
    await expect.poll(() => world.merchant.read.at(-1)?.eventType).toBe('REFUND.ABNORMAL')
  } finally {
    await world.close()
  }
})
