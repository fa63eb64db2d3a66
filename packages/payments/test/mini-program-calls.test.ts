import { describe, expect, it } from 'vitest'
import { failed, message, programOf, type Written } from './world/mini-program.ts'

const shipping = { transactionId: '4200', payerOpenid: 'oSomebody', itemDescription: 'a month' }

describe('logging in', () => {
  it('exchanges the code for who it is', async () => {
    const { program, asked } = programOf([{ content: { openid: 'o1', unionid: 'u1', session_key: 'k' } }])
    expect(await program.login('code')).toEqual({ openid: 'o1', unionid: 'u1' })
    expect(asked).toEqual([
      {
        ...{ method: 'GET', host: 'api.weixin.qq.com', path: '/sns/jscode2session', body: null },
        query: { appid: 'wx1', secret: 'secret', js_code: 'code', grant_type: 'authorization_code' },
        signal: expect.any(AbortSignal),
      },
    ])
  })
  it('without a code asks nobody', async () => {
    const { program, asked } = programOf([{ content: { openid: 'o1' } }])
    expect(await failed(program.login(''))).toMatchObject({ reason: 'invalid_code', errcode: null })
    expect(asked).toEqual([])
  })
  it.each([{}, { openid: '' }, { openid: 7 }, { openid: 'o1', unionid: 7 }])(
    'with %j is no answer',
    async (content) => {
      expect(await failed(programOf([{ content }]).program.login('code'))).toMatchObject({
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
    const failure = await failed(programOf([{ content: { errcode, errmsg: 'no' } }]).program.login('code'))
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
    const failure = await failed(programOf([written]).program.login('code'))
    expect(failure).toMatchObject({ reason: 'unreachable', errcode: null, message: 'unreachable' })
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
    const failure = await failed(programOf([{ content: { errcode } }]).program.uploadShipping(shipping))
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
      expect(await failed(programOf([{ content }]).program.shippingState('4200'))).toMatchObject({
        reason: 'unreachable',
      })
    },
  )
})
