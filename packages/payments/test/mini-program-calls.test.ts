import { describe, expect, it } from 'vitest'
import { createMiniProgram, MiniProgramError, type Outside, theRealOutside } from '../src/index.ts'

type Asked = { method: string; host: string; path: string; query: Record<string, string>; body: unknown }
type Written = { status?: number; text?: string; content?: unknown } | Error

const token = { access_token: 'first', expires_in: 7200 }
const start = new Date('2026-01-01T12:00:00.007Z').getTime()

/** A mini-program whose platform answers a token to who asks for one, and these to all else, the last one for ever. */
function programOf(written: readonly Written[], tokens: readonly object[] = [token]) {
  const asked: Asked[] = []
  const clock = { now: start }
  const isToken = ({ path }: Asked) => path === '/cgi-bin/stable_token'
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    const one: Asked = {
      method: init?.method ?? '',
      ...{ host: url.host, path: url.pathname, query: Object.fromEntries(url.searchParams) },
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
    }
    asked.push(one)
    const before = asked.filter((other) => isToken(other) === isToken(one)).length
    const list: readonly Written[] = isToken(one) ? tokens.map((content) => ({ content })) : written
    const answer = list[Math.min(before, list.length) - 1]
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer was written')
    const { status = 200, content = {}, text = JSON.stringify(content) } = answer
    return new Response(text, { status })
  }
  const outside: Outside = { ...theRealOutside, fetch, now: () => new Date(clock.now) }
  const settings = { appId: 'wx1', appSecret: 'secret', baseUrl: 'https://api.weixin.qq.com' }
  const paths = () => asked.map(({ path }) => path.split('/').at(-1))
  return { program: createMiniProgram(settings, outside), asked, clock, paths }
}

async function failureOf(work: Promise<unknown>): Promise<MiniProgramError> {
  const failure = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(failure instanceof MiniProgramError))
    throw new Error('it did not fail as calls fail', { cause: failure })
  return failure
}

const message = { openid: 'oSomebody', templateId: 'T1', data: { thing1: 'a month', time2: '2026-01-01' } }
const shipping = { transactionId: '4200', payerOpenid: 'oSomebody', itemDescription: 'a month' }

describe('logging in', () => {
  it('exchanges the code for who it is', async () => {
    const { program, asked } = programOf([{ content: { openid: 'o1', unionid: 'u1', session_key: 'k' } }])
    expect(await program.login('code')).toEqual({ openid: 'o1', unionid: 'u1' })
    expect(asked).toEqual([
      {
        ...{ method: 'GET', host: 'api.weixin.qq.com', path: '/sns/jscode2session', body: null },
        query: { appid: 'wx1', secret: 'secret', js_code: 'code', grant_type: 'authorization_code' },
      },
    ])
  })
  it('without a code asks nobody', async () => {
    const { program, asked } = programOf([{ content: { openid: 'o1' } }])
    expect(await failureOf(program.login(''))).toMatchObject({ reason: 'invalid_code', errcode: null })
    expect(asked).toEqual([])
  })
  it.each([{}, { openid: '' }, { openid: 7 }, { openid: 'o1', unionid: 7 }])(
    'with %j is no answer',
    async (content) => {
      expect(await failureOf(programOf([{ content }]).program.login('code'))).toMatchObject({
        reason: 'unreachable',
      })
    },
  )
})

describe('a number of an error', () => {
  it.each([
    [-1, 'busy'],
    [45009, 'busy'],
    [45011, 'busy'],
    [40003, 'invalid_request'],
    [40013, 'misconfigured'],
    [40029, 'invalid_code'],
    [40037, 'misconfigured'],
    [40125, 'misconfigured'],
    [40163, 'invalid_code'],
    [40164, 'misconfigured'],
    [40226, 'blocked'],
    [41002, 'misconfigured'],
    [41004, 'misconfigured'],
    [41008, 'invalid_code'],
    [41030, 'misconfigured'],
    [43101, 'not_subscribed'],
    [47001, 'invalid_request'],
    [47003, 'misconfigured'],
    [48001, 'misconfigured'],
    [61004, 'misconfigured'],
    [10060001, 'not_yet'],
    [99999, 'refused'],
  ])('%i means %s', async (errcode, reason) => {
    const failure = await failureOf(programOf([{ content: { errcode, errmsg: 'no' } }]).program.login('code'))
    expect(failure).toMatchObject({
      reason,
      errcode,
      message: `${reason} (${errcode})`,
      name: 'MiniProgramError',
    })
  })
  it('that is 0 or absent is none', async () => {
    for (const errcode of [0, undefined])
      expect(await programOf([{ content: { errcode, openid: 'o1' } }]).program.login('c')).toMatchObject({
        openid: 'o1',
      })
  })
})

describe('a platform that is away', () => {
  it.each<[string, Written]>([
    ['does not connect', new TypeError('fetch failed')],
    ['answers 500', { status: 500, content: { openid: 'o1' } }],
    ['answers no JSON', { text: '<html>' }],
    ['answers a list', { content: [] }],
    ['answers a number that is a text', { content: { errcode: '0' } }],
  ])('is told from one that refuses: it %s', async (_, written) => {
    const failure = await failureOf(programOf([written]).program.login('code'))
    expect(failure).toMatchObject({ reason: 'unreachable', errcode: null, message: 'unreachable' })
  })
})

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
    'that is refused with %i is asked for anew, and the call repeated once',
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
      expect(await failureOf(never.program.sendSubscribeMessage(message))).toMatchObject({ errcode })
      expect(never.paths()).toEqual(['stable_token', 'send', 'stable_token', 'send'])
    },
  )

  it('is kept where a call is refused for another reason, or nobody answers', async () => {
    for (const written of [{ content: { errcode: 43101 } }, new TypeError('fetch failed')]) {
      const { program, paths } = programOf([written])
      await failureOf(program.sendSubscribeMessage(message))
      await failureOf(program.sendSubscribeMessage(message))
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
    expect(await failureOf(program.sendSubscribeMessage(message))).toMatchObject({ reason: 'unreachable' })
    await program.sendSubscribeMessage(message)
    expect(paths()).toEqual(['stable_token', 'stable_token', 'send'])
  })
})

describe('a message that was agreed to', () => {
  const bodyOf = async (changes: object) => {
    const { program, asked } = programOf([{}])
    await program.sendSubscribeMessage({ ...message, ...changes })
    expect(asked[1]?.path).toBe('/cgi-bin/message/subscribe/send')
    return asked[1]?.body
  }
  const body = {
    ...{ touser: 'oSomebody', template_id: 'T1', miniprogram_state: 'formal', lang: 'zh_CN' },
    data: { thing1: { value: 'a month' }, time2: { value: '2026-01-01' } },
  }
  it('is written as the platform wants it', async () => {
    expect(await bodyOf({})).toEqual(body)
  })
  it('may open a page, and a version that is not released', async () => {
    expect(await bodyOf({ page: 'pages/home', state: 'trial' })).toEqual({
      ...body,
      page: 'pages/home',
      miniprogram_state: 'trial',
    })
  })
})

describe('shipping', () => {
  it('of virtual goods is written as the platform wants it, to the millisecond of China', async () => {
    const { program, asked } = programOf([{}])
    expect(await program.uploadShipping(shipping)).toBe('recorded')
    expect(asked[1]?.path).toBe('/wxa/sec/order/upload_shipping_info')
    expect(asked[1]?.body).toEqual({
      order_key: { order_number_type: 2, transaction_id: '4200' },
      logistics_type: 3,
      delivery_mode: 1,
      shipping_list: [{ item_desc: 'a month' }],
      upload_time: '2026-01-01T20:00:00.007+08:00',
      payer: { openid: 'oSomebody' },
    })
  })

  it.each([10060002, 10060003, 10060023])('that is refused with %i was recorded before', async (errcode) => {
    expect(await programOf([{ content: { errcode } }]).program.uploadShipping(shipping)).toBe('already')
  })
  it.each([
    [10060001, 'not_yet'],
    [10060004, 'refused'],
  ])('that is refused with %i is not: %s', async (errcode, reason) => {
    const failure = await failureOf(programOf([{ content: { errcode } }]).program.uploadShipping(shipping))
    expect(failure).toMatchObject({ reason, errcode })
  })

  it('is in a state', async () => {
    const { program, asked } = programOf([{ content: { order: { order_state: 2 } } }])
    expect(await program.shippingState('4200')).toBe(2)
    expect(asked[1]).toMatchObject({ path: '/wxa/sec/order/get_order', body: { transaction_id: '4200' } })
  })
  it.each([{}, { order: {} }, { order: { order_state: '2' } }, { order: { order_state: 1.5 } }])(
    'has no state in %j',
    async (content) => {
      expect(await failureOf(programOf([{ content }]).program.shippingState('4200'))).toMatchObject({
        reason: 'unreachable',
      })
    },
  )
})
