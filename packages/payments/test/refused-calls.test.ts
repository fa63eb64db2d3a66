import { describe, expect, it } from 'vitest'
import {
  createMiniProgram,
  createPayments,
  type PaymentsError,
  type PlatformCall,
  type Runtime,
  systemRuntime,
} from '../src/index.ts'
import { createPlatform } from '../src/testing/index.ts'
import { anOrder } from './world/world.ts'

const settings = createPlatform({ keyMode: 'public_key' }).settings('http://127.0.0.1:1')

type Reply = { status: number; code?: string; body?: string }

/** A client whose platform gives this answer to everything, and what was noted of its calls. */
function clientOf(reply: Reply | Error) {
  const calls: PlatformCall[] = []
  const sent: string[] = []
  const runtime: Runtime = {
    ...systemRuntime,
    sawCall: (call) => calls.push(call),
    fetch: async (_, init) => {
      if (reply instanceof Error) throw reply
      const { status, code, body = JSON.stringify({ code, message: 'no' }) } = reply
      sent.push(String(init?.body ?? ''))
      return new Response(status === 204 ? null : body, { status })
    },
  }
  return { payments: createPayments(settings, runtime), runtime, calls, sent }
}

const failureOf = (work: Promise<unknown>): Promise<PaymentsError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error) => error,
  )

describe('a question about an order', () => {
  it.each(['ORDER_NOT_EXIST', 'ORDERNOTEXIST'])(
    'that the platform does not know (%s) is no failure',
    async (code) => {
      const { payments } = clientOf({ status: 404, code })
      expect(await payments.queryOrder('M01UNKNOWN')).toMatchObject({ state: 'no_such_order' })
    },
  )
  it.each([
    ['another status', { status: 400, code: 'ORDER_NOT_EXIST' }],
    ['another code', { status: 404, code: 'RESOURCE_NOT_EXISTS' }],
    ['no code', { status: 404, body: '<html>' }],
  ])('that is refused with %s fails: nobody knows whether there is one', async (_, reply) => {
    const failure = await failureOf(clientOf(reply).payments.queryOrder('M01UNKNOWN'))
    expect(failure).toMatchObject({ reason: 'refused', status: reply.status })
  })
})

describe('closing an order', () => {
  it.each([
    ['ORDER_PAID', 'paid'],
    ['ORDERPAID', 'paid'],
    ['ORDER_CLOSED', 'closed'],
    ['ORDERCLOSED', 'closed'],
  ])('that is refused with %s finds it %s', async (code, state) => {
    expect(await clientOf({ status: 400, code }).payments.closeOrder('M01CLOSE')).toBe(state)
  })
  it('that is refused for another reason fails', async () => {
    const failure = await failureOf(
      clientOf({ status: 400, code: 'PARAM_ERROR' }).payments.closeOrder('M01CLOSE'),
    )
    expect(failure).toMatchObject({ reason: 'refused', code: 'PARAM_ERROR' })
  })
})

describe('a question about a refund', () => {
  it.each(['RESOURCE_NOT_EXISTS', 'REFUND_NOT_EXIST'])(
    'that the platform does not know (%s) is no failure',
    async (code) => {
      const { payments } = clientOf({ status: 404, code })
      expect(await payments.queryRefund('R01UNKNOWN')).toMatchObject({ state: 'no_such_refund' })
    },
  )
  it('that is refused with another status fails', async () => {
    const failure = await failureOf(
      clientOf({ status: 400, code: 'RESOURCE_NOT_EXISTS' }).payments.queryRefund('R01UNKNOWN'),
    )
    expect(failure).toMatchObject({ reason: 'refused', status: 400 })
  })
})

describe('a refund that the platform was too busy for', () => {
  it('may have been accepted: ask', async () => {
    const refund = { outRefundNo: 'R01BUSY', outTradeNo: 'M01BUSY', amountFen: 1, totalFen: 1 }
    const { payments } = clientOf({ status: 429, code: 'FREQUENCY_LIMITED' })
    expect(await failureOf(payments.requestRefund(refund))).toMatchObject({
      ...{ reason: 'refused', status: 429, code: 'FREQUENCY_LIMITED', advice: 'ask_again' },
    })
  })
})

describe('every call is counted by how it ended', () => {
  it.each([
    ['refused', { status: 499, code: 'PARAM_ERROR' }],
    ['failed', { status: 500, code: 'SYSTEM_ERROR' }],
    ['failed', { status: 502, body: '<html>' }],
    ['unverified', { status: 200, body: '{}' }],
    ['unreachable', new TypeError('fetch failed')],
  ] as const)('%s', async (outcome, reply) => {
    const { payments, calls } = clientOf(reply)
    await failureOf(payments.queryOrder('M01COUNTED'))
    expect(calls).toMatchObject([{ platform: 'payment', endpoint: 'query_order', outcome }])
  })
  it.each([
    ['refused', { status: 200, body: '{"errcode":40029}' }],
    ['unreachable', { status: 502, body: '' }],
  ] as const)('%s, of the mini-program too', async (outcome, reply) => {
    const { runtime, calls } = clientOf(reply)
    const { appId, apiBaseUrl: baseUrl } = { ...settings, apiBaseUrl: 'http://127.0.0.1:1' }
    await failureOf(createMiniProgram({ appId, appSecret: 'x', baseUrl }, runtime).login('code'))
    expect(calls).toMatchObject([{ platform: 'mini_program', outcome }])
  })
})

describe('what cannot be sent is refused before anything is', () => {
  const card = { to: 'user_bank_card', bankType: 'ICBC_DEBIT', bankAccount: '6222', realName: '王' } as const
  const abnormal = { ...card, refundId: '50000000382019052709732678859', outRefundNo: 'R01ABNORMAL' }

  it.each([
    ['an empty account', { bankAccount: '' }],
    ['an empty name', { realName: '' }],
    ['an account of 215 bytes', { bankAccount: '6'.repeat(215) }],
    ['a name of 216 bytes in 72 characters', { realName: '王'.repeat(72) }],
  ])('a bank card with %s', async (_, change) => {
    const { payments, sent } = clientOf({ status: 400, code: 'PARAM_ERROR' })
    const failure = await failureOf(payments.applyAbnormalRefund({ ...abnormal, ...change }))
    expect(failure).toMatchObject({
      reason: 'invalid_request',
      about: expect.stringMatching(/empty or too long/),
    })
    expect(sent).toEqual([])
  })
  it('while 214 bytes are sent, encrypted', async () => {
    const { payments, sent } = clientOf({ status: 400, code: 'PARAM_ERROR' })
    await failureOf(payments.applyAbnormalRefund({ ...abnormal, bankAccount: '6'.repeat(214) }))
    expect(sent).toHaveLength(1)
    expect(sent[0]).not.toContain('6666')
  })

  it.each([
    ['description', 127, 128],
    ['payerOpenid', 128, 129],
  ] as const)('an order whose %s has more than %i characters', async (field, most, tooMany) => {
    const { payments, sent } = clientOf({ status: 400, code: 'PARAM_ERROR' })
    expect(await failureOf(payments.prepay(anOrder({ [field]: 'x'.repeat(tooMany) })))).toMatchObject({
      reason: 'invalid_request',
    })
    expect(sent).toEqual([])
    await failureOf(payments.prepay(anOrder({ [field]: 'x'.repeat(most) })))
    expect(sent).toHaveLength(1)
  })
  it.each([
    ['an amount of nothing', { amountFen: 0 }],
    ['half a fen', { amountFen: 1.5 }],
    ['a blank description', { description: ' ' }],
    ['no payer', { payerOpenid: '' }],
    ['no time', { expiresAt: new Date(Number.NaN) }],
    ['a number of five characters', { outTradeNo: 'M0001' }],
    ['a number of 33 characters', { outTradeNo: 'M'.repeat(33) }],
  ])('an order with %s', async (_, change) => {
    const { payments, sent } = clientOf({ status: 400, code: 'PARAM_ERROR' })
    expect(await failureOf(payments.prepay(anOrder(change)))).toMatchObject({ reason: 'invalid_request' })
    expect(sent).toEqual([])
  })

  it('a shipping text that is empty or has more than 120 characters', async () => {
    const { runtime, sent } = clientOf({ status: 200, body: '{"access_token":"t","expires_in":7200}' })
    const { appId } = settings
    const miniProgram = createMiniProgram({ appId, appSecret: 'x', baseUrl: 'http://127.0.0.1:1' }, runtime)
    const shipping = { transactionId: '4200000000000000000000000000', payerOpenid: 'o' }
    for (const itemDescription of ['', 'x'.repeat(121)])
      expect(await failureOf(miniProgram.uploadShipping({ ...shipping, itemDescription }))).toMatchObject({
        reason: 'invalid_request',
        errcode: null,
      })
    expect(sent).toEqual([])
    expect(await miniProgram.uploadShipping({ ...shipping, itemDescription: 'x'.repeat(120) })).toBe(
      'recorded',
    )
  })
})
