import { createPrivateKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkSettings } from '../src/check-settings.ts'
import { createPayments, type PlatformCall, theRealOutside } from '../src/index.ts'
import { observed } from '../src/observe-call.ts'
import { PaymentsError } from '../src/payments-error.ts'
import { refusal } from '../src/refusal.ts'
import { caller } from '../src/request.ts'
import { makeCertificate } from '../src/testing/make-certificate.ts'
import { sealResource } from '../src/testing/seal-resource.ts'
import { clientOf, failureOf, keysOfPlatform, publicKey, settings } from './world/hand-written.ts'

const notPaid = { out_trade_no: 'M01', trade_state: 'NOTPAY' }
const gone = new TypeError('fetch failed')

describe('what to do after a refusal', () => {
  const refused = (status: number, content: unknown) =>
    refusal({ status, headers: new Headers(), requestId: '08', body: Buffer.from(JSON.stringify(content)) })

  it.each([
    ...[400, 401].map((status) => [status, 'fix'] as const),
    ...[300, 399, 402, 403, 404, 428, 430, 499].map((status) => [status, 'give_up'] as const),
    ...[429, 500, 502, 599].map((status) => [status, 'retry'] as const),
  ])('%i with a code that nobody knows: %s', (status, advice) => {
    expect(refused(status, { code: 'SOMETHING_NEW' })).toMatchObject({
      ...{ reason: 'refused', status, code: 'SOMETHING_NEW', advice, requestId: '08' },
      about: `status ${status}, SOMETHING_NEW`,
    })
    expect(refused(status, {})).toMatchObject({ code: null, advice, about: `status ${status}` })
  })

  it.each([
    ['OPENID_MISMATCH', 'fix'],
    ['INVALID_TRANSACTIONID', 'fix'],
    ['NO_AUTH', 'fix'],
    ['NOAUTH', 'fix'],
    ['NOT_ENOUGH', 'fix'],
    ['NOTENOUGH', 'fix'],
    ['ORDER_PAID', 'ask_again'],
    ['ORDERPAID', 'ask_again'],
    ['OUT_TRADE_NO_USED', 'ask_again'],
    ['ORDER_CLOSED', 'give_up'],
    ['ORDERCLOSED', 'give_up'],
    ['STATEMENT_CREATING', 'retry'],
    ['NO_STATEMENT_EXIST', 'give_up'],
  ])('%s: %s, whatever the status says', (code, advice) => {
    for (const status of [400, 403, 500]) expect(refused(status, { code })).toMatchObject({ code, advice })
  })

  it.each([7, null, '', 'lower_case', 'A B', 'A'.repeat(65), ' A', 'A ', ['NO_AUTH'], { code: 'NO_AUTH' }])(
    'a code of another form is none: %j',
    (code) => {
      expect(refused(403, { code })).toMatchObject({ code: null, advice: 'give_up', about: 'status 403' })
    },
  )
  it('the longest code is one', () => {
    expect(refused(403, { code: 'A'.repeat(64) })).toMatchObject({ code: 'A'.repeat(64) })
  })
  it.each([null, 'NO_AUTH', ['NO_AUTH'], 7])('an answer that is %j has no code', (content) => {
    expect(refused(403, content).code).toBeNull()
  })
})

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
    expect(await failureOf(payments.queryOrder('M01'))).toMatchObject({ reason })
    expect(asked).toHaveLength(1)
  })

  it('is the last one', async () => {
    const { payments, asked } = clientOf([{ status: 503, content: {} }])
    expect(await failureOf(payments.queryOrder('M01'))).toMatchObject({ reason: 'refused', status: 503 })
    expect(asked).toHaveLength(2)
  })

  it('is not made where a pause would take all the time that is left', async () => {
    const { outside, asked } = clientOf([gone])
    const credentials = checkSettings(settings)
    const sender = { credentials, outside, serial: () => null }
    const call = caller({ sender, judge: async () => undefined, sawAnswer: () => undefined })
    const endpoint = {
      name: 'query_order',
      method: 'GET',
      path: '/',
      read: () => null,
      budgetMs: 100,
    } as const
    expect(await failureOf(call(endpoint))).toMatchObject({ reason: 'unreachable' })
    expect(asked).toHaveLength(1)
  })

  it('is not made after a bug of ours', async () => {
    let nonces = 0
    const nonce = () => {
      nonces += 1
      throw new Error('a bug')
    }
    const { outside } = clientOf([{ content: notPaid }])
    await expect(createPayments(settings, { ...outside, nonce }).queryOrder('M01')).rejects.toThrow('a bug')
    expect(nonces).toBe(1)
  })

  it('is not made for who has given up', async () => {
    const giving = new AbortController()
    const { payments, asked } = clientOf([gone])
    giving.abort()
    expect(await failureOf(payments.queryOrder('M01', giving.signal))).toMatchObject({ reason: 'timeout' })
    expect(asked.length).toBeLessThanOrEqual(1)
  })
})

describe('an answer', () => {
  it.each([200, 201, 299])('under %i is one', async (status) => {
    expect(await clientOf([{ status, content: notPaid }]).payments.queryOrder('M01')).toMatchObject({
      state: 'not_paid',
    })
  })
  it('under 300 is a refusal, and under 202 it is not finished: ask again', async () => {
    expect(
      await failureOf(clientOf([{ status: 300, content: notPaid }]).payments.queryOrder('M01')),
    ).toMatchObject({
      ...{ reason: 'refused', status: 300, advice: 'give_up' },
    })
    const accepted = { status: 202, content: notPaid, headers: { 'request-id': '08' } }
    expect(await failureOf(clientOf([accepted]).payments.queryOrder('M01'))).toMatchObject({
      ...{ reason: 'refused', status: 202, advice: 'ask_again', about: 'not finished', requestId: '08' },
    })
  })

  it.each([
    ['299 s early', -299, null],
    ['299 s late', 299, null],
    ['302 s early', -302, 'stale'],
    ['302 s late', 302, 'stale'],
  ])('that was signed %s is taken as fresh or not', async (_, clockSkewSeconds, about) => {
    const work = clientOf([{ content: notPaid, faults: { clockSkewSeconds } }]).payments.queryOrder('M01')
    if (about === null) expect(await work).toMatchObject({ state: 'not_paid' })
    else
      expect(await failureOf(work)).toMatchObject({ reason: 'unverified_answer', about, advice: 'ask_again' })
  })

  it.each([
    ['without a time', { 'Wechatpay-Timestamp': '' }, 'headers_missing'],
    ['without a nonce', { 'Wechatpay-Nonce': '' }, 'headers_missing'],
    ['without a signature', { 'Wechatpay-Signature': '' }, 'headers_missing'],
    ['without a serial number', { 'Wechatpay-Serial': '' }, 'headers_missing'],
    ['with a time that is none', { 'Wechatpay-Timestamp': '1e9' }, 'headers_missing'],
    ['with a time of 13 digits', { 'Wechatpay-Timestamp': '1767225600000' }, 'headers_missing'],
    [
      'with a signature of another kind',
      { 'Wechatpay-Signature-Type': 'WECHATPAY2-SM2-WITH-SM3' },
      'bad_signature',
    ],
    ['with another signature', { 'Wechatpay-Signature': 'AAAA' }, 'bad_signature'],
    ['with a signature that is no base64', { 'Wechatpay-Signature': '!' }, 'bad_signature'],
  ])('%s is not verified', async (_, headers, about) => {
    const { payments, asked } = clientOf([{ content: notPaid, headers: { ...headers, 'request-id': '08' } }])
    expect(await failureOf(payments.queryOrder('M01'))).toMatchObject({
      ...{ reason: 'unverified_answer', advice: 'ask_again', about, status: 200, requestId: '08' },
    })
    expect(asked).toHaveLength(1)
  })

  it('says how far the clock of the platform is from ours', async () => {
    const now = () => new Date('2026-01-01T12:00:00Z')
    const skewOf = async (date: string) => {
      const { payments } = clientOf([{ content: notPaid, headers: { date } }], { now })
      await payments.queryOrder('M01')
      return payments.clockSkewMs()
    }
    expect(await skewOf('Thu, 01 Jan 2026 12:00:07 GMT')).toBe(7000)
    expect(await skewOf('Thu, 01 Jan 2026 11:59:59 GMT')).toBe(-1000)
    expect(await skewOf('some day')).toBeNull()
    const { payments } = clientOf([{ content: notPaid }], { now })
    await payments.queryOrder('M01')
    expect(payments.clockSkewMs()).toBeNull()
  })
})

describe('an answer under a serial number that nobody knows', () => {
  const MINUTE = 60_000
  const day = 86_400_000
  const start = new Date('2026-06-01T00:00:00Z').getTime()
  const certified = makeCertificate({
    subject: 'Tenpay.com',
    from: new Date(start - day),
    to: new Date(start + 365 * day),
  })
  const key = { serial: certified.serial, privateKey: createPrivateKey(certified.privateKey) }
  const sealed = sealResource(certified.certificate, {
    apiV3Key: keysOfPlatform.apiV3Key,
    associatedData: 'certificate',
  })
  const list = { key, content: { data: [{ serial_no: certified.serial, encrypt_certificate: sealed }] } }
  const strange = { content: notPaid, faults: { serial: 'AB'.repeat(20) } }
  const urlsOf = (asked: readonly { url: string }[]) =>
    asked.map(({ url }) => url.split('?')[0]?.split('/').at(-1))

  it('asks for certificates once, and is verified by what comes', async () => {
    const { payments, asked } = clientOf([{ content: notPaid, key }, list, { content: notPaid, key }], {
      settings: { downloadKeys: true },
      now: () => new Date(start),
    })
    expect(await payments.queryOrder('M01')).toMatchObject({ state: 'not_paid' })
    expect(urlsOf(asked)).toEqual(['M01', 'certificates'])
    expect(payments.keyReport()).toMatchObject({ downloadKeys: true, refreshedAt: new Date(start) })
  })

  it('asks again a minute later, and not a millisecond sooner', async () => {
    let now = start
    const wishes = { settings: { downloadKeys: true }, now: () => new Date(now) }
    const { payments, asked } = clientOf([strange, list, strange, strange, list, strange], wishes)
    const askAt = async (at: number) => {
      now = at
      await failureOf(payments.queryOrder('M01'))
    }
    await askAt(start)
    await askAt(start + MINUTE - 1)
    await askAt(start + MINUTE)
    expect(urlsOf(asked)).toEqual(['M01', 'certificates', 'M01', 'M01', 'certificates'])
  })

  it('asks for none where they are not downloaded', async () => {
    const { payments, asked } = clientOf([strange])
    expect(await failureOf(payments.queryOrder('M01'))).toMatchObject({
      ...{ reason: 'unverified_answer', about: 'unknown_serial' },
    })
    expect(asked).toHaveLength(1)
    expect(await payments.refreshKeys()).toMatchObject({ downloadKeys: false, refreshedAt: null })
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['of a known key that does not hold', { content: notPaid, headers: { 'Wechatpay-Signature': 'AAAA' } }],
    ['that is stale', { content: notPaid, faults: { clockSkewSeconds: 400 } }],
    ['without headers', { content: notPaid, headers: { 'Wechatpay-Nonce': '' } }],
  ])('is no other answer that is not verified: one %s asks for nothing', async (_, one) => {
    const { payments, asked } = clientOf([one], { settings: { downloadKeys: true } })
    await failureOf(payments.queryOrder('M01'))
    expect(urlsOf(asked)).toEqual(['M01'])
  })

  it('is refused as it was where no certificates come', async () => {
    const { payments, asked } = clientOf(
      [strange, { status: 404, content: { code: 'RESOURCE_NOT_EXISTS' } }],
      {
        settings: { downloadKeys: true },
      },
    )
    expect(await failureOf(payments.queryOrder('M01'))).toMatchObject({
      ...{ reason: 'unverified_answer', about: 'unknown_serial' },
    })
    expect(urlsOf(asked)).toEqual(['M01', 'certificates'])
  })

  it('takes no certificates that have ended, nor ones that another key signed', async () => {
    const wishes = (now: Date) => ({ settings: { platformKeys: [], downloadKeys: true }, now: () => now })
    const ended = clientOf([list], wishes(new Date(start + 366 * day))).payments
    expect(await failureOf(ended.refreshKeys())).toMatchObject({ reason: 'unverified_answer' })
    const forged = {
      ...list,
      key: { ...key, privateKey: createPrivateKey(keysOfPlatform.merchant.privateKey) },
    }
    const other = clientOf([forged], wishes(new Date(start))).payments
    expect(await failureOf(other.refreshKeys())).toMatchObject({
      reason: 'unverified_answer',
      about: 'bad_signature',
    })
    expect([ended, other].map((payments) => payments.keyReport().keys)).toEqual([[], []])
    const good = clientOf([list], wishes(new Date(start))).payments
    expect(await good.refreshKeys()).toMatchObject({ keys: [{ id: certified.serial, source: 'download' }] })
  })
})

describe('how a call ended', () => {
  const outcomeOf = async (work: () => Promise<unknown>) => {
    const calls: PlatformCall[] = []
    const call = { platform: 'payment', endpoint: 'query_order' } as const
    const ended = observed({ ...theRealOutside, sawCall: (one) => calls.push(one) }, call, work)
    await ended.catch(() => undefined)
    return calls
  }
  const failing = (error: Error) => () => Promise.reject(error)

  it.each([
    [new PaymentsError('timeout'), 'timeout'],
    [new PaymentsError('unreachable'), 'unreachable'],
    [new PaymentsError('malformed_answer', { status: 500 }), 'malformed'],
    [new PaymentsError('unverified_answer', { status: 200 }), 'unverified'],
    [new PaymentsError('refused', { status: 500 }), 'failed'],
    [new PaymentsError('refused', { status: 499 }), 'refused'],
    [new PaymentsError('refused'), 'refused'],
    [new Error('a bug'), 'malformed'],
  ])('by %s is counted as %s', async (error, outcome) => {
    expect(await outcomeOf(failing(error))).toMatchObject([{ endpoint: 'query_order', outcome }])
  })

  it('is told with the seconds that it took', async () => {
    const [call] = await outcomeOf(async () => 'an answer')
    expect(call).toMatchObject({ outcome: 'ok' })
    expect(call?.seconds).toBeGreaterThanOrEqual(0)
    expect(call?.seconds).toBeLessThan(1)
  })
})

it('every kind of failure says what to do next, and only our own words', () => {
  const adviceOf = (reason: PaymentsError['reason']) => new PaymentsError(reason).advice
  expect((['unknown_serial', 'probe', 'unreachable'] as const).map(adviceOf)).toEqual([
    'retry',
    'retry',
    'retry',
  ])
  expect((['undecryptable', 'invalid_request'] as const).map(adviceOf)).toEqual(['fix', 'fix'])
  expect((['timeout', 'unverified_answer', 'malformed_answer'] as const).map(adviceOf)).toEqual([
    'ask_again',
    'ask_again',
    'ask_again',
  ])
  const others = [
    'headers_missing',
    'stale',
    'bad_signature',
    'malformed_envelope',
    'unsupported_algorithm',
  ] as const
  expect([...others, 'malformed_payload', 'refused'].map((reason) => adviceOf(reason as 'refused'))).toEqual(
    Array.from({ length: 7 }, () => 'give_up'),
  )
  const cause = new Error('inside')
  const failure = new PaymentsError('refused', { about: 'status 400', cause, answerBegan: true })
  expect(failure).toMatchObject({
    message: 'refused: status 400',
    name: 'PaymentsError',
    cause,
    answerBegan: true,
  })
  expect(new PaymentsError('refused')).toMatchObject({
    ...{
      message: 'refused',
      status: null,
      code: null,
      requestId: null,
      answerBegan: false,
      about: null,
      signed: null,
    },
  })
})
