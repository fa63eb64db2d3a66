import { describe, expect, it } from 'vitest'
import { ConfirmedRefund } from '../src/confirmed-refund.ts'
import { readRefund } from '../src/notification/read-confirmed.ts'

const answered = {
  out_refund_no: 'R01HX7Y6Z5QK3V2N8R4T9W1ABCD',
  refund_id: '50000000382019052709732678859',
  out_trade_no: 'M01HX7Y6Z5QK3V2N8R4T9W1ABCD',
  transaction_id: '4200002026202601011234567890',
  status: 'SUCCESS',
  success_time: '2026-01-01T19:59:58+08:00',
  mchid: '1230000109',
  amount: { refund: 100, total: 7900, currency: 'CNY' },
}
const money = (changes: object) => ({ ...answered, amount: { ...answered.amount, ...changes } })

describe('a refund that the platform answers', () => {
  it('is read with all that names it, its sums, and the instant when it went through', () => {
    expect(readRefund(answered, 'query')).toMatchObject({
      source: 'query',
      outRefundNo: answered.out_refund_no,
      refundId: answered.refund_id,
      outTradeNo: answered.out_trade_no,
      transactionId: answered.transaction_id,
      status: 'succeeded',
      amountFen: 100,
      totalFen: 7900,
      currency: 'CNY',
      succeededAt: new Date('2026-01-01T11:59:58Z'),
      mchId: answered.mchid,
    })
  })

  it.each([
    ['CLOSED', 'closed'],
    ['ABNORMAL', 'abnormal'],
    ['PROCESSING', 'processing'],
  ])('as %s is %s, with no instant of success whatever it names', (status, read) => {
    expect(readRefund({ ...answered, status }, 'query')).toMatchObject({ status: read, succeededAt: null })
    const withoutTime = { ...answered, status, success_time: undefined }
    expect(readRefund(withoutTime, 'query')).toMatchObject({ status: read, succeededAt: null })
  })

  it.each(['success', 'toString', '', 0, undefined])('as %s is none', (status) => {
    expect(readRefund({ ...answered, status }, 'query')).toBeNull()
  })

  it.each(['', null, undefined])('names no currency and no merchant by %j', (nothing) => {
    expect(readRefund(money({ currency: nothing }), 'query')).toMatchObject({ currency: null })
    expect(readRefund({ ...answered, mchid: nothing }, 'query')).toMatchObject({ mchId: null })
  })

  it.each(['C N Y', 7, {}, 'x'.repeat(65)])('is none where currency or merchant is %j', (odd) => {
    expect(readRefund(money({ currency: odd }), 'query')).toBeNull()
    expect(readRefund({ ...answered, mchid: odd }, 'query')).toBeNull()
  })

  it.each(['out_refund_no', 'refund_id', 'out_trade_no', 'transaction_id', 'success_time', 'amount'])(
    'is none without %s',
    (field) => {
      expect(readRefund({ ...answered, [field]: undefined }, 'query')).toBeNull()
    },
  )

  it.each(['refund', 'total'])('is none where amount.%s is no whole number of fen', (field) => {
    for (const value of [undefined, '100', 0.5, -1])
      expect(readRefund(money({ [field]: value }), 'query')).toBeNull()
  })

  it.each([null, 'SUCCESS', 7, undefined, []])('is none where the answer is %j', (answer) => {
    expect(readRefund(answer, 'query')).toBeNull()
  })
})

it('a notification says what became of a refund in refund_status, an answer in status', () => {
  const notified = { ...answered, status: undefined, refund_status: 'SUCCESS' }
  expect(readRefund(notified, 'notification')).toMatchObject({ source: 'notification', status: 'succeeded' })
  expect(readRefund(notified, 'query')).toBeNull()
  expect(readRefund(answered, 'notification')).toBeNull()
})

it('a refund is confirmed only as this package made it: a copy and a look-alike are not', () => {
  const refund = readRefund(answered, 'query')
  expect(ConfirmedRefund.isOne(refund)).toBe(true)
  for (const other of [
    { ...refund },
    structuredClone(refund),
    Object.create(refund),
    null,
    undefined,
    'refund',
  ])
    expect(ConfirmedRefund.isOne(other)).toBe(false)
})
