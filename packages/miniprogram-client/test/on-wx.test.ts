import { expect, test } from 'vitest'
import { createClient, isProblem, onWx, type Wx } from '../src/index.ts'
import { device, order, paymentParams, subscription } from './full-answers.ts'

/** What the typings of WeChat call `wx` is what the client takes. */
export const takesTheRealOne = (real: WechatMiniprogram.Wx): Wx => real

type Answer = { statusCode: number; data: unknown; header?: object } | { errMsg: string }
type Told = Parameters<Wx['request']>[0]

const tokens = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 7200 }
const loggedIn: Answer = { statusCode: 200, data: tokens }

/** A `wx` that keeps what it is told and answers what it is given. */
function playWx(answers: Answer[], sheet: string | null = null) {
  const told: Told[] = []
  const kept = new Map<string, string>()
  const wx: Wx = {
    request: (option) => {
      told.push(option)
      const answer = answers.shift() ?? { errMsg: 'request:fail timeout' }
      if ('errMsg' in answer) option.fail?.(answer)
      else option.success?.({ header: {}, ...answer })
    },
    login: ({ success }) => success?.({ code: 'code-1' }),
    requestPayment: ({ success, fail }) => (sheet === null ? success?.() : fail?.({ errMsg: sheet })),
    getStorageSync: (key) => kept.get(key) ?? '',
    setStorageSync: (key, value) => void kept.set(key, value),
    removeStorageSync: (key) => void kept.delete(key),
    getDeviceInfo: () => ({ platform: 'ios', system: 'iOS 17.5' }),
    getAppBaseInfo: () => ({ version: '8.0.68', SDKVersion: '3.8.0' }),
    canIUse: () => false,
  }
  const phone = { ...onWx(wx), wait: async () => undefined }
  return { told, kept, client: createClient({ baseUrl: 'https://api.example.com/', phone }) }
}

test('a call is what wx.request takes: JSON as text, the platform, the language and the token', async () => {
  const { client, told, kept } = playWx([loggedIn, { statusCode: 200, data: { device: device() } }])
  expect(await client.devices.bind({ serial_number: 'A' })).toEqual(device())
  const [login, bind] = told
  expect([login?.url, login?.data]).toEqual([
    'https://api.example.com/api/v1/auth/login',
    '{"code":"code-1"}',
  ])
  expect(bind).toMatchObject({
    url: 'https://api.example.com/api/v1/devices/bind',
    method: 'POST',
    data: '{"serial_number":"A"}',
    header: {
      authorization: 'Bearer a',
      'content-type': 'application/json',
      'x-client-platform': 'ios',
      'accept-language': 'zh-CN',
    },
  })
  expect([...kept.values()].join()).toContain('"refresh_token":"r"')
})

test('a request without a body has none', async () => {
  const { client, told } = playWx([loggedIn, { statusCode: 200, data: subscription() }])
  await client.subscription()
  expect(told[1]).not.toHaveProperty('data')
})

test('an answer of 304 is the plans that were read before', async () => {
  const list = { plans: [], sale: { allowed: false, channel: null, message: '暂停' } }
  const { client, told } = playWx([
    { statusCode: 200, data: list, header: { ETag: '"1"' } },
    { statusCode: 304, data: '' },
  ])
  await client.plans()
  expect(await client.plans()).toEqual({ ...list, builtIn: false })
  expect(told[1]?.header).toMatchObject({ 'if-none-match': '"1"' })
})

test('a problem carries its code, its title and the number of the request', async () => {
  const problem = { code: 'device_already_bound', title: '设备已被绑定', status: 409, request_id: 'r-1' }
  const { client } = playWx([loggedIn, { statusCode: 409, data: problem }])
  const error = await client.devices.bind({ serial_number: 'A' }).catch((thrown: unknown) => thrown)
  expect(isProblem(error, 'device_already_bound') && [error.title, error.requestId]).toEqual([
    '设备已被绑定',
    'r-1',
  ])
  expect(isProblem(error, 'unreachable')).toBe(false)
})

test('a phone without a network says that nobody could be reached', async () => {
  const error = await playWx([])
    .client.subscription()
    .catch((thrown: unknown) => thrown)
  expect(isProblem(error, 'unreachable')).toBe(true)
})

test.each([
  ['requestPayment:fail cancel', 'cancelled'],
  ['requestPayment:fail system error', 'pending'],
])('a payment sheet that says "%s" is %s while the API knows of no payment', async (said, kind) => {
  const unpaid = Array.from(
    { length: 5 },
    (): Answer => ({ statusCode: 200, data: { order: order(), subscription: subscription() } }),
  )
  const { client } = playWx(
    [loggedIn, { statusCode: 201, data: { order: order(), payment_params: paymentParams() } }, ...unpaid],
    said,
  )
  expect(await client.pay({ code: 'monthly', price_fen: 2900 })).toEqual({ kind, outTradeNo: 'M1' })
})
