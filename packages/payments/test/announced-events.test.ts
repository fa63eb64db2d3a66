import { describe, expect, it } from 'vitest'
import { PaymentsError } from '../src/index.ts'
import { aTransaction, read, sealed } from './world/sealed-notification.ts'

const deliver = (event: string, content: unknown) => read(sealed(JSON.stringify(content), event))
function aboutOf(event: string, content: unknown) {
  try {
    deliver(event, content)
    return null
  } catch (error) {
    if (error instanceof PaymentsError) return [error.reason, error.about]
    throw error
  }
}

const aRefund = {
  mchid: aTransaction.mchid,
  out_trade_no: aTransaction.out_trade_no,
  transaction_id: aTransaction.transaction_id,
  out_refund_no: 'R01HX7Y6Z5QK3V2N8R4T9W1ABCD',
  refund_id: '50000000382019052709732678859',
  refund_status: 'SUCCESS',
  success_time: '2026-01-01T19:59:58+08:00',
  amount: { total: 7900, refund: 100, payer_total: 7900, payer_refund: 100 },
}

describe('a payment that is announced', () => {
  it('is one where it succeeded', () => {
    expect(deliver('TRANSACTION.SUCCESS', aTransaction)).toMatchObject({
      kind: 'payment',
      payment: { source: 'notification', outTradeNo: aTransaction.out_trade_no, amountFen: 7900 },
    })
  })

  it.each([
    'NOTPAY',
    'CLOSED',
    'REFUND',
    'USERPAYING',
    'PAYERROR',
    'REVOKED',
    'ACCEPT',
    'success',
    '',
    null,
    undefined,
  ])('is none in the state %j, whatever the event says', (trade_state) => {
    expect(aboutOf('TRANSACTION.SUCCESS', { ...aTransaction, trade_state })).toEqual([
      'malformed_payload',
      'a payment that did not succeed',
    ])
  })

  it.each([null, [], 'SUCCESS', 7])('is none where it is %j', (content) => {
    expect(aboutOf('TRANSACTION.SUCCESS', content)?.[0]).toBe('malformed_payload')
  })

  it.each(['out_trade_no', 'transaction_id', 'success_time', 'amount', 'mchid', 'appid'])(
    'is none without %s',
    (field) => {
      expect(aboutOf('TRANSACTION.SUCCESS', { ...aTransaction, [field]: undefined })).toEqual([
        'malformed_payload',
        'not a transaction',
      ])
    },
  )
})

describe('a refund that is announced', () => {
  const events = [
    ['REFUND.SUCCESS', 'SUCCESS', 'succeeded'],
    ['REFUND.ABNORMAL', 'ABNORMAL', 'abnormal'],
    ['REFUND.CLOSED', 'CLOSED', 'closed'],
  ] as const

  it.each(events)('by %s ended with %s: %s', (event, refund_status, status) => {
    expect(deliver(event, { ...aRefund, refund_status })).toMatchObject({
      kind: 'refund',
      refund: { status },
    })
  })

  it.each(events)('by %s did not end otherwise than with %s', (event, own) => {
    const others = ['SUCCESS', 'ABNORMAL', 'CLOSED', 'PROCESSING', 'OTHER', undefined].filter(
      (one) => one !== own,
    )
    for (const refund_status of others)
      expect(aboutOf(event, { ...aRefund, refund_status })).toEqual([
        'malformed_payload',
        'not a refund, or not the one announced',
      ])
  })
})

it.each(['TRANSACTION.PAYSCORE', 'REFUND.OTHER', 'transaction.success', 'toString', 'SOMETHING.ELSE'])(
  'an event that nobody knows is neither: %s',
  (event) => {
    expect(deliver(event, aTransaction)).toMatchObject({
      kind: 'unknown',
      eventType: event,
      payload: aTransaction,
    })
  },
)
