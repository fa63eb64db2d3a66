import { describe, expect, it } from 'vitest'
import { clientOf, failed, settings } from './world/hand-written.ts'
import { aTransaction } from './world/sealed-notification.ts'
import { anOrder } from './world/world.ts'

const order = {
  ...aTransaction,
  mchid: settings.mchId,
  appid: settings.appId,
  out_trade_no: 'M01ANSWERED',
}
const ask = (content: unknown) => clientOf([{ content }]).payments.queryOrder('M01ANSWERED')

describe('the answer about an order', () => {
  it.each([
    ['NOTPAY', 'not_paid'],
    ['CLOSED', 'closed'],
  ])('%s is %s', async (trade_state, state) => {
    expect(await ask({ out_trade_no: 'M01ANSWERED', trade_state })).toEqual({ state, requestId: null })
  })

  it.each(['USERPAYING', 'PAYERROR', 'REVOKED', 'ACCEPT', 'success', 'toString'])(
    '%s is unknown, and named',
    async (tradeState) => {
      const answer = await ask({ ...order, trade_state: tradeState })
      expect(answer).toEqual({ state: 'unknown', tradeState, requestId: null })
    },
  )

  it.each([
    ['SUCCESS', 'paid'],
    ['REFUND', 'refunded'],
  ])('%s is %s, with the payment', async (trade_state, state) => {
    expect(await ask({ ...order, trade_state })).toMatchObject({
      state,
      payment: {
        ...{ source: 'query', outTradeNo: 'M01ANSWERED', transactionId: order.transaction_id },
        ...{ amountFen: 7900, currency: 'CNY', mchId: settings.mchId, appId: settings.appId },
        ...{ payerOpenid: order.payer.openid, tradeType: 'JSAPI', bankType: 'OTHERS' },
        paidAt: new Date('2026-01-01T11:59:58Z'),
      },
    })
  })

  it.each([
    ['about another order', { ...order, out_trade_no: 'M01OTHER' }],
    ['about no order', { ...order, out_trade_no: undefined }],
    ['without a state', { ...order, trade_state: undefined }],
    ['with a state that is no text', { ...order, trade_state: 7 }],
    ['with an empty state', { ...order, trade_state: '' }],
    ['that is a list', []],
    ['that is a text', 'SUCCESS'],
  ])('%s is none', async (_, content) => {
    expect(await failed(ask(content))).toMatchObject({ reason: 'malformed_answer', advice: 'ask_again' })
  })

  it.each(['transaction_id', 'success_time', 'amount', 'mchid', 'appid', 'out_trade_no'])(
    'that is paid without %s is none',
    async (field) => {
      expect(await failed(ask({ ...order, [field]: undefined }))).toMatchObject({
        reason: 'malformed_answer',
      })
    },
  )

  it('says of a payment that lacks something what is wrong with it', async () => {
    const failure = await failed(ask({ ...order, success_time: undefined }))
    expect(failure.about).toBe('paid, but incomplete')
  })

  it('by the number of a transaction must be about that transaction', async () => {
    const transactionId = order.transaction_id
    const byTransaction = (content: unknown) =>
      clientOf([{ content }]).payments.queryTransaction(transactionId)
    expect(await byTransaction(order)).toMatchObject({ state: 'paid' })
    expect(
      await failed(byTransaction({ ...order, transaction_id: '4200000000000000000000000000' })),
    ).toMatchObject({
      reason: 'malformed_answer',
    })
  })
})

describe('questions about orders', () => {
  it('are asked of this merchant by their numbers, encoded', async () => {
    const { payments, asked } = clientOf([{ content: {} }])
    await failed(payments.queryOrder('M01/ANSWERED'))
    await failed(payments.queryTransaction('42/00'))
    expect(asked).toMatchObject([
      {
        method: 'GET',
        url: `/v3/pay/transactions/out-trade-no/M01%2FANSWERED?mchid=${settings.mchId}`,
        body: null,
      },
      { method: 'GET', url: `/v3/pay/transactions/id/42%2F00?mchid=${settings.mchId}`, body: null },
    ])
  })

  it('that close one name the merchant, and are answered with nothing', async () => {
    const { payments, asked } = clientOf([{ content: null }])
    expect(await payments.closeOrder('M01CLOSE')).toBe('closed')
    expect(asked).toMatchObject([
      {
        method: 'POST',
        url: '/v3/pay/transactions/out-trade-no/M01CLOSE/close',
        body: { mchid: settings.mchId },
      },
    ])
    const talking = clientOf([{ content: { closed: true } }]).payments
    expect(await failed(talking.closeOrder('M01CLOSE'))).toMatchObject({ reason: 'malformed_answer' })
  })
})

describe('an order that is placed', () => {
  it('is written as the platform wants it, in China time', async () => {
    const { payments, asked } = clientOf([{ content: { prepay_id: 'wx1' } }])
    const placed = anOrder({ expiresAt: new Date('2026-01-01T16:30:00.999Z') })
    expect(await payments.prepay(placed)).toEqual({ prepayId: 'wx1', requestId: null })
    expect(asked).toMatchObject([{ method: 'POST', url: '/v3/pay/transactions/jsapi' }])
    expect(asked[0]?.body).toEqual({
      appid: settings.appId,
      mchid: settings.mchId,
      description: placed.description,
      out_trade_no: placed.outTradeNo,
      time_expire: '2026-01-02T00:30:00+08:00',
      notify_url: settings.notifyUrl,
      amount: { total: 7900, currency: 'CNY' },
      payer: { openid: placed.payerOpenid },
    })
  })

  it.each(['M12345', 'M'.repeat(32), 'a_b-c9'])('may have the number %s', async (outTradeNo) => {
    const { payments } = clientOf([{ content: { prepay_id: 'wx1' } }])
    expect(await payments.prepay(anOrder({ outTradeNo }))).toMatchObject({ prepayId: 'wx1' })
  })
  it.each(['M1234', 'M'.repeat(33), ' M12345', 'M12345 ', 'M123!5', 'M12345\n', ''])(
    'may not have the number %j',
    async (outTradeNo) => {
      const { payments, asked } = clientOf([{ content: { prepay_id: 'wx1' } }])
      expect(await failed(payments.prepay(anOrder({ outTradeNo })))).toMatchObject({
        reason: 'invalid_request',
        about: '/out_trade_no is not 6 to 32 of [0-9A-Za-z_-]',
      })
      expect(asked).toEqual([])
    },
  )

  it.each([
    [{ description: '' }, '/description is empty'],
    [{ description: ' \t' }, '/description is empty'],
    [{ description: 'x'.repeat(128) }, '/description is over 127 characters'],
    [{ amountFen: 0 }, '/amount/total is not at least 1 fen'],
    [{ amountFen: 2 ** 53 }, '/amount/total is not at least 1 fen'],
    [{ payerOpenid: '' }, '/payer/openid is empty or over 128 characters'],
    [{ payerOpenid: 'o'.repeat(129) }, '/payer/openid is empty or over 128 characters'],
    [{ expiresAt: new Date(Number.NaN) }, '/time_expire is not a time'],
    [{ description: '月卡😀' }, '/description holds characters outside three-byte UTF-8'],
  ])('with %j is refused: %s', async (changes, about) => {
    const { payments } = clientOf([{ content: { prepay_id: 'wx1' } }])
    expect(await failed(payments.prepay(anOrder(changes)))).toMatchObject({
      ...{ reason: 'invalid_request', advice: 'fix', about },
    })
  })

  it('of one fen, and with the longest texts, is sent', async () => {
    const { payments } = clientOf([{ content: { prepay_id: 'x'.repeat(64) } }])
    const longest = { amountFen: 1, description: '月'.repeat(127), payerOpenid: 'o'.repeat(128) }
    expect(await payments.prepay(anOrder(longest))).toMatchObject({ prepayId: 'x'.repeat(64) })
  })

  it.each([{}, { prepay_id: '' }, { prepay_id: 'x'.repeat(65) }, { prepay_id: 7 }, []])(
    'is not ready with %j',
    async (content) => {
      expect(await failed(clientOf([{ content }]).payments.prepay(anOrder()))).toMatchObject({
        reason: 'malformed_answer',
      })
    },
  )
})
