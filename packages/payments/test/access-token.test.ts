import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMiniProgram, systemRuntime } from '../src/index.ts'
import { failed, message, programOf, start, token } from './world/mini-program.ts'

afterEach(() => void vi.useRealTimers())

describe('the access token', () => {
  const sendAt = async (seconds: number, expires_in = 7200) => {
    const { program, clock, paths } = programOf([{}], [{ ...token, expires_in }])
    await program.sendSubscribeMessage(message)
    clock.now = start + seconds * 1000
    await program.sendSubscribeMessage(message)
    return paths().filter((path) => path === 'stable_token').length
  }

  it('is used until a minute before its end', async () => {
    expect([await sendAt(7139), await sendAt(7140), await sendAt(7141)]).toEqual([1, 2, 2])
    expect([await sendAt(239, 300), await sendAt(240, 300)]).toEqual([1, 2])
  })

  it('is asked for with the secret in the body, and goes along with every call', async () => {
    const { program, asked } = programOf([{}])
    await program.sendSubscribeMessage(message)
    expect(asked).toMatchObject([
      {
        ...{ method: 'POST', host: 'api.weixin.qq.com', path: '/cgi-bin/stable_token', query: {} },
        body: { grant_type: 'client_credential', appid: 'wx1', secret: 'secret', force_refresh: false },
      },
      { method: 'POST', query: { access_token: 'first' } },
    ])
  })

  it.each([40001, 40014, 42001])(
    'that is refused with %i is asked for anew, and the call repeated once within the time of the first',
    async (errcode) => {
      const tokens = [token, { ...token, access_token: 'second' }]
      const again = programOf([{ content: { errcode } }, {}], tokens)
      await again.program.sendSubscribeMessage(message)
      expect(again.asked.map(({ query }) => query['access_token'])).toEqual([
        undefined,
        'first',
        undefined,
        'second',
      ])
      const never = programOf([{ content: { errcode } }], tokens)
      expect(await failed(never.program.sendSubscribeMessage(message))).toMatchObject({ errcode })
      expect(never.paths()).toEqual(['stable_token', 'send', 'stable_token', 'send'])
      const [, first, , repeated] = never.asked.map(({ signal }) => signal)
      expect(first).toBeInstanceOf(AbortSignal)
      expect(repeated).toBe(first)
    },
  )

  it('that does not come ends the call after five seconds', async () => {
    vi.useFakeTimers()
    const fetch: typeof globalThis.fetch = () => new Promise(() => {})
    const settings = { appId: 'wx1', appSecret: 'secret', baseUrl: 'https://api.weixin.qq.com' }
    const ended = failed(
      createMiniProgram(settings, { ...systemRuntime, fetch }).sendSubscribeMessage(message),
    )
    await vi.advanceTimersByTimeAsync(4_999)
    expect(await Promise.race([ended, 'waiting'])).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(await ended).toMatchObject({ reason: 'timeout' })
  })

  it('is kept where a call is refused for another reason, or nobody answers', async () => {
    for (const written of [{ content: { errcode: 43101 } }, new TypeError('fetch failed')]) {
      const { program, paths } = programOf([written])
      await failed(program.sendSubscribeMessage(message))
      await failed(program.sendSubscribeMessage(message))
      expect(paths()).toEqual(['stable_token', 'send', 'send'])
    }
  })

  it('is asked for once by calls that meet an expired one together', async () => {
    const tokens = [token, { ...token, access_token: 'second' }]
    const expired = { content: { errcode: 42001 } }
    const { program, paths } = programOf([expired, expired, {}], tokens)
    await Promise.all([program.sendSubscribeMessage(message), program.sendSubscribeMessage(message)])
    expect(paths().filter((path) => path === 'stable_token')).toHaveLength(2)
  })

  it.each([
    {},
    { ...token, access_token: '' },
    { ...token, expires_in: 0 },
    { ...token, expires_in: '7200' },
  ])('is none in %j', async (answer) => {
    const { program, paths } = programOf([{}], [answer, token])
    expect(await failed(program.sendSubscribeMessage(message))).toMatchObject({ reason: 'unreachable' })
    await program.sendSubscribeMessage(message)
    expect(paths()).toEqual(['stable_token', 'stable_token', 'send'])
  })
})
