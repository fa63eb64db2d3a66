import { describe, expect, it } from 'vitest'
import { clientOf, failed, settings, type Written } from './world/hand-written.ts'
import { anOrder } from './world/world.ts'

const refused = (headers: Record<string, string> = {}): Written => ({
  status: 400,
  content: { code: 'PARAM_ERROR' },
  headers,
})

describe('what is sent', () => {
  it('says of a body that it is JSON, and of no body nothing', async () => {
    const { payments, asked } = clientOf([refused()])
    await failed(payments.prepay(anOrder()))
    await failed(payments.queryOrder('M01QUERY'))
    const [order, question] = asked
    expect(order).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
    expect(question).toMatchObject({ method: 'GET', body: null })
    expect(question?.headers).not.toHaveProperty('content-type')
  })

  it('names the key that the answer is to be signed with, takes JSON, and follows nobody elsewhere', async () => {
    const { payments, asked } = clientOf([refused()])
    await failed(payments.queryOrder('M01QUERY'))
    expect(asked).toMatchObject([
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
      await failed(
        clientOf([refused(requestId === undefined ? {} : { 'request-id': requestId })]).payments.queryOrder(
          'M01QUERY',
        ),
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
