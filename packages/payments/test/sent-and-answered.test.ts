import { describe, expect, it } from 'vitest'
import { createPayments, PaymentsError, theRealOutside } from '../src/index.ts'
import { createPlatform } from '../src/testing/index.ts'
import { anOrder } from './world/world.ts'

const settings = createPlatform({ keyMode: 'public_key' }).settings('http://127.0.0.1:1')

type Sent = { method: string; headers: Record<string, string>; body: unknown; redirect: unknown }

/** A client whose platform refuses everything with these headers, and what was sent to it. */
function clientOf(headers: Record<string, string> = {}) {
  const sent: Sent[] = []
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const { method = '', body, redirect } = init ?? {}
    sent.push({ method, headers: { ...(init?.headers as Record<string, string>) }, body, redirect })
    return new Response('{"code":"PARAM_ERROR"}', { status: 400, headers })
  }
  return { payments: createPayments(settings, { ...theRealOutside, fetch }), sent }
}

const failureOf = async (work: Promise<unknown>) => {
  const failure = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(failure instanceof PaymentsError)) throw new Error('it was not refused')
  return failure
}

describe('what is sent', () => {
  it('says of a body that it is JSON, and of no body nothing', async () => {
    const { payments, sent } = clientOf()
    await failureOf(payments.prepay(anOrder()))
    await failureOf(payments.queryOrder('M01QUERY'))
    const [order, question] = sent
    expect(order).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
    expect(question).toMatchObject({ method: 'GET', body: undefined })
    expect(question?.headers).not.toHaveProperty('content-type')
  })

  it('names the key that the answer is to be signed with, takes JSON, and follows nobody elsewhere', async () => {
    const { payments, sent } = clientOf()
    await failureOf(payments.queryOrder('M01QUERY'))
    expect(sent).toMatchObject([
      {
        headers: { 'wechatpay-serial': settings.platformKeys[0]?.id, accept: 'application/json' },
        redirect: 'manual',
      },
    ])
  })
})

describe('the number of a request that the platform answers with', () => {
  const requestIdOf = async (requestId?: string) =>
    (
      await failureOf(
        clientOf(requestId === undefined ? {} : { 'request-id': requestId }).payments.queryOrder('M01QUERY'),
      )
    ).requestId

  it.each(['08F78BA3AF0610', 'a.b-c:d_e', 'x'.repeat(128)])('is kept: %s', async (requestId) => {
    expect(await requestIdOf(requestId)).toBe(requestId)
  })

  it.each(['x'.repeat(129), 'a b', '<b>', '"', ''])(
    'is not where it is unfit for a log: %j',
    async (requestId) => {
      expect(await requestIdOf(requestId)).toBeNull()
    },
  )

  it('may be absent', async () => {
    expect(await requestIdOf()).toBeNull()
  })
})
