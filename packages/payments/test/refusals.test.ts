import { tracingChannel } from 'node:diagnostics_channel'
import { describe, expect, it } from 'vitest'
import { type PlatformCall, systemRuntime } from '../src/index.ts'
import { PaymentsError } from '../src/payments-error.ts'
import { observed } from '../src/runtime.ts'
import { refusal } from '../src/send-once.ts'

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

describe('how a call ended', () => {
  const outcomeOf = async (work: () => Promise<unknown>) => {
    const calls: PlatformCall[] = []
    const call = { platform: 'payment', endpoint: 'query_order' } as const
    const ended = observed({ ...systemRuntime, sawCall: (one) => calls.push(one) }, call, work)
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

  it.each([
    [async () => 'an answer', 'ok'],
    [failing(new PaymentsError('timeout')), 'timeout'],
  ])('is told to whoever listens to the tracing channel of calls', async (work, outcome) => {
    const told: unknown[] = []
    const listen = (message: unknown) => void told.push(message)
    const { asyncEnd } = tracingChannel('meridian:platform-call')
    asyncEnd.subscribe(listen)
    await outcomeOf(work).finally(() => asyncEnd.unsubscribe(listen))
    expect(told).toEqual([expect.objectContaining({ platform: 'payment', endpoint: 'query_order', outcome })])
  })

  it('is told with the seconds that it took', async () => {
    const began = performance.now()
    const [call] = await outcomeOf(async () => 'an answer')
    expect(call).toMatchObject({ outcome: 'ok' })
    expect(call?.seconds).toBeGreaterThanOrEqual(0)
    expect(call?.seconds).toBeLessThanOrEqual((performance.now() - began) / 1000)
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
