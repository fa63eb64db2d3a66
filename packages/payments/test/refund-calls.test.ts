import { describe, expect, it } from 'vitest'
import { clientOf, failed, publicKey, settings } from './world/hand-written.ts'

const refund = {
  out_refund_no: 'R01ANSWERED',
  refund_id: '50000000382019052709732678859',
  out_trade_no: 'M01ANSWERED',
  transaction_id: '4200002026202601011234567890',
  status: 'PROCESSING',
  amount: { refund: 100, total: 7900, currency: 'CNY' },
}
const asked = { outRefundNo: 'R01ANSWERED', outTradeNo: 'M01ANSWERED', amountFen: 100, totalFen: 7900 }
const refundsUrl = '/v3/refund/domestic/refunds'

describe('a refund that is asked for', () => {
  it('names the order, the sums, and where to notify', async () => {
    const { payments, asked: sent } = clientOf([{ content: refund }])
    expect(await payments.requestRefund(asked)).toMatchObject({
      refund: { outRefundNo: 'R01ANSWERED', status: 'processing', amountFen: 100 },
    })
    expect(sent).toMatchObject([{ method: 'POST', url: refundsUrl }])
    expect(sent[0]?.body).toEqual({
      out_trade_no: 'M01ANSWERED',
      out_refund_no: 'R01ANSWERED',
      notify_url: settings.notifyUrl,
      amount: { refund: 100, total: 7900, currency: 'CNY' },
    })
  })

  it('names the transaction instead where it returns one of several, and the reason where there is one', async () => {
    const { payments, asked: sent } = clientOf([{ content: refund }])
    const { outTradeNo: _, ...numbers } = asked
    await payments.requestRefund({ ...numbers, transactionId: refund.transaction_id, reason: 'x'.repeat(80) })
    expect(sent[0]?.body).toEqual({
      transaction_id: refund.transaction_id,
      out_refund_no: 'R01ANSWERED',
      reason: 'x'.repeat(80),
      notify_url: settings.notifyUrl,
      amount: { refund: 100, total: 7900, currency: 'CNY' },
    })
  })

  it.each(['R', 'R'.repeat(64), 'a_b-c|d*e@9'])('may have the number %s', async (outRefundNo) => {
    const { payments } = clientOf([{ content: { ...refund, out_refund_no: outRefundNo } }])
    expect(await payments.requestRefund({ ...asked, outRefundNo })).toMatchObject({ refund: { outRefundNo } })
  })

  it('may be the whole order, and one fen', async () => {
    const { payments } = clientOf([{ content: refund }])
    expect(await payments.requestRefund({ ...asked, amountFen: 1, totalFen: 1 })).toMatchObject({
      refund: {},
    })
  })

  it.each([
    [{ outRefundNo: '' }, '/out_refund_no is not 1 to 64 of [0-9A-Za-z_-|*@]'],
    [{ outRefundNo: 'R'.repeat(65) }, '/out_refund_no is not 1 to 64 of [0-9A-Za-z_-|*@]'],
    [{ outRefundNo: ' R1' }, '/out_refund_no is not 1 to 64 of [0-9A-Za-z_-|*@]'],
    [{ outRefundNo: 'R1 ' }, '/out_refund_no is not 1 to 64 of [0-9A-Za-z_-|*@]'],
    [{ amountFen: 0 }, '/amount/refund is not at least 1 fen'],
    [{ amountFen: 0.5 }, '/amount/refund is not at least 1 fen'],
    [{ totalFen: 99 }, '/amount/total is below the refund'],
    [{ totalFen: 100.5 }, '/amount/total is below the refund'],
    [{ reason: '' }, '/reason is empty or over 80 characters'],
    [{ reason: 'x'.repeat(81) }, '/reason is empty or over 80 characters'],
  ])('with %j is refused before it is sent: %s', async (changes, about) => {
    const { payments, asked: sent } = clientOf([{ content: refund }])
    expect(await failed(payments.requestRefund({ ...asked, ...changes }))).toMatchObject({
      ...{ reason: 'invalid_request', advice: 'fix', about },
    })
    expect(sent).toEqual([])
  })

  it.each([
    ['about another refund', { ...refund, out_refund_no: 'R01OTHER' }],
    ['that is none', {}],
    ['with no body', null],
  ])('and answered with one %s is not known to be accepted', async (_, content) => {
    expect(await failed(clientOf([{ content }]).payments.requestRefund(asked))).toMatchObject({
      ...{ reason: 'malformed_answer', advice: 'ask_again' },
    })
  })

  it('is tried once where the platform is busy: it may have been accepted', async () => {
    const { payments, asked: sent } = clientOf([{ status: 429, content: { code: 'FREQUENCY_LIMITED' } }])
    expect(await failed(payments.requestRefund(asked))).toMatchObject({
      ...{ reason: 'refused', advice: 'ask_again', about: 'status 429', code: 'FREQUENCY_LIMITED' },
    })
    expect(sent).toHaveLength(1)
  })

  it('keeps the advice of every other refusal', async () => {
    const { payments } = clientOf([{ status: 403, content: { code: 'NOT_ENOUGH' } }])
    expect(await failed(payments.requestRefund(asked))).toMatchObject({ status: 403, advice: 'fix' })
  })
})

describe('a question about a refund', () => {
  it('is asked by its number, encoded, and must be answered about it', async () => {
    const { payments, asked: sent } = clientOf([{ content: { ...refund, out_refund_no: 'R|01' } }])
    expect(await payments.queryRefund('R|01')).toMatchObject({
      state: 'known',
      refund: { outRefundNo: 'R|01' },
    })
    expect(sent).toMatchObject([{ method: 'GET', url: `${refundsUrl}/R%7C01` }])
    expect(await failed(payments.queryRefund('R01OTHER'))).toMatchObject({ reason: 'malformed_answer' })
  })

  it.each([
    [404, 'NO_AUTH'],
    [403, 'REFUND_NOT_EXIST'],
  ])('that is refused with %i %s fails', async (status, code) => {
    const { payments } = clientOf([{ status, content: { code } }])
    expect(await failed(payments.queryRefund('R01'))).toMatchObject({ reason: 'refused', status, code })
  })
})

describe('an abnormal refund that is sent elsewhere', () => {
  const abnormal = { refundId: '503/7', outRefundNo: 'R01ANSWERED' }

  it('goes to the card of the merchant by its number alone', async () => {
    const { payments, asked: sent } = clientOf([{ content: refund }])
    const answer = await payments.applyAbnormalRefund({ ...abnormal, to: 'merchant_bank_card' })
    expect(answer).toMatchObject({ refund: { outRefundNo: 'R01ANSWERED' }, requestId: null })
    expect(sent).toMatchObject([{ method: 'POST', url: `${refundsUrl}/503%2F7/apply-abnormal-refund` }])
    expect(sent[0]?.body).toEqual({ out_refund_no: 'R01ANSWERED', type: 'MERCHANT_BANK_CARD' })
  })

  it('goes to the card of the user with number and name encrypted for the key that it names', async () => {
    const { payments, asked: sent } = clientOf([{ content: refund }])
    const card = {
      to: 'user_bank_card',
      bankType: 'ICBC_DEBIT',
      bankAccount: '6222',
      realName: '王',
    } as const
    await payments.applyAbnormalRefund({ ...abnormal, ...card })
    expect(sent[0]?.headers['wechatpay-serial']).toBe(publicKey.serial)
    expect(sent[0]?.body).toEqual({
      out_refund_no: 'R01ANSWERED',
      type: 'USER_BANK_CARD',
      bank_type: 'ICBC_DEBIT',
      bank_account: expect.stringMatching(/^[0-9A-Za-z+/]{342}==$/),
      real_name: expect.stringMatching(/^[0-9A-Za-z+/]{342}==$/),
    })
  })

  it('needs a key of the platform to encrypt for', async () => {
    const { payments, asked: sent } = clientOf([{ content: refund }], {
      settings: { platformKeys: [], downloadKeys: true },
    })
    const failure = await failed(payments.applyAbnormalRefund({ ...abnormal, to: 'merchant_bank_card' }))
    expect(failure).toMatchObject({ reason: 'invalid_request', about: 'no platform key to encrypt for' })
    expect(sent).toEqual([])
  })
})
