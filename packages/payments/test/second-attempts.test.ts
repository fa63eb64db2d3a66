import { createPrivateKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkSettings } from '../src/check-settings.ts'
import { createPayments } from '../src/index.ts'
import { caller } from '../src/request.ts'
import { clientOf, failed, keysOfPlatform, publicKey, settings } from './world/hand-written.ts'

const notPaid = { out_trade_no: 'M01', trade_state: 'NOTPAY' }
const gone = new TypeError('fetch failed')

describe('a second attempt', () => {
  const once = [{ status: 500, content: { code: 'SYSTEM_ERROR' } }, { content: notPaid }]
  it.each([
    ['a failure of the platform', once],
    ['no connection', [gone, { content: notPaid }]],
    ['a probe', [{ content: notPaid, faults: { probe: true } }, { content: notPaid }]],
  ])('is made after %s', async (_, written) => {
    const { payments, asked } = clientOf(written)
    expect(await payments.queryOrder('M01')).toMatchObject({ state: 'not_paid' })
    expect(asked).toHaveLength(2)
  })

  const otherKey = { ...publicKey, privateKey: createPrivateKey(keysOfPlatform.merchant.privateKey) }
  it.each([
    ['what the platform calls wrong', { status: 400, content: { code: 'PARAM_ERROR' } }, 'refused'],
    ['too many calls', { status: 429, content: { code: 'FREQUENCY_LIMITED' } }, 'refused'],
    ['a failure that it says to ask about', { status: 500, content: { code: 'ORDER_PAID' } }, 'refused'],
    ['a signature of another key', { content: notPaid, key: otherKey }, 'unverified_answer'],
    ['an answer that is none', { content: 'nothing' }, 'malformed_answer'],
    ['an answer that is not finished', { status: 202, content: {} }, 'refused'],
  ])('is not made after %s', async (_, one, reason) => {
    const { payments, asked } = clientOf([one])
    expect(await failed(payments.queryOrder('M01'))).toMatchObject({ reason })
    expect(asked).toHaveLength(1)
  })

  it('is the last one', async () => {
    const { payments, asked } = clientOf([{ status: 503, content: {} }])
    expect(await failed(payments.queryOrder('M01'))).toMatchObject({ reason: 'refused', status: 503 })
    expect(asked).toHaveLength(2)
  })

  it('is not made where a pause would take all the time that is left', async () => {
    const { runtime, asked } = clientOf([gone])
    const credentials = checkSettings(settings)
    const sender = { credentials, runtime, serial: () => null }
    const call = caller({ sender, judge: async () => undefined, sawAnswer: () => undefined })
    const endpoint = {
      name: 'query_order',
      method: 'GET',
      path: '/',
      read: () => null,
      budgetMs: 100,
    } as const
    expect(await failed(call(endpoint))).toMatchObject({ reason: 'unreachable' })
    expect(asked).toHaveLength(1)
  })

  it('is not made after a bug of ours', async () => {
    let nonces = 0
    const nonce = () => {
      nonces += 1
      throw new Error('a bug')
    }
    const { runtime } = clientOf([{ content: notPaid }])
    await expect(createPayments(settings, { ...runtime, nonce }).queryOrder('M01')).rejects.toThrow('a bug')
    expect(nonces).toBe(1)
  })

  it('is not made for who has given up', async () => {
    const giving = new AbortController()
    const { payments, asked } = clientOf([gone])
    giving.abort()
    expect(await failed(payments.queryOrder('M01', giving.signal))).toMatchObject({ reason: 'timeout' })
    expect(asked).toHaveLength(1)
  })
})
