import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { EndpointRequest, PlatformEndpoint } from './endpoint-request.ts'
import { type PlatformState, randomText, remember } from './platform-state.ts'
import { plain, type Reply } from './reply.ts'

const CODE_LIVES_MS = 5 * 60_000
const TOKEN_LIVES_S = 7200
const OVERLAP_MS = 5 * 60_000

/** Errors of this platform are numbers in an answer of status 200 (protocol §9). */
export const failure = (errcode: number, words: string): Reply =>
  plain({ errcode, errmsg: `${words} rid: ${randomText(4)}-${randomText(4)}` })

export const success = (more: Record<string, unknown> = {}): Reply =>
  plain({ errcode: 0, errmsg: 'ok', ...more })

function logIn({ state, query }: EndpointRequest): Reply {
  const { appId, appSecret } = state.keys
  const code = state.loginCodes.get(query.get('js_code') ?? '')
  if (query.get('appid') !== appId) return failure(40013, 'invalid appid')
  if (query.get('secret') !== appSecret) return failure(40125, 'invalid appsecret')
  if (!code || state.now().getTime() - code.madeAt.getTime() > CODE_LIVES_MS)
    return failure(40029, 'invalid code')
  if (code.used) return failure(40163, 'code been used')
  code.used = true
  const sessionKey = randomBytes(16).toString('base64')
  state.virtual.sessionKeys.set(code.openid, sessionKey)
  return plain({ openid: code.openid, session_key: sessionKey })
}

const TokenParameters = z.object({
  grant_type: z.literal('client_credential'),
  appid: z.string(),
  secret: z.string(),
  force_refresh: z.boolean().optional(),
})

/** The same token until five minutes before its end (protocol §9.2). */
function giveToken({ state, body }: EndpointRequest): Reply {
  const parameters = TokenParameters.safeParse(body).data
  if (!parameters) return failure(47001, 'data format error')
  if (parameters.appid !== state.keys.appId) return failure(40013, 'invalid appid')
  if (parameters.secret !== state.keys.appSecret) return failure(40125, 'invalid appsecret')
  const age = state.accessToken ? state.now().getTime() - state.accessToken.madeAt.getTime() : Infinity
  if (parameters.force_refresh || age > TOKEN_LIVES_S * 1000 - OVERLAP_MS || !state.accessToken) {
    state.accessToken = { value: randomText(64), madeAt: state.now() }
    return plain({ access_token: state.accessToken.value, expires_in: TOKEN_LIVES_S })
  }
  return plain({ access_token: state.accessToken.value, expires_in: Math.floor(TOKEN_LIVES_S - age / 1000) })
}

export const withToken =
  (answer: (request: EndpointRequest) => Reply) =>
  (request: EndpointRequest): Reply => {
    const { state, query, faults } = request
    if (faults.has('token_expired')) state.accessToken = null
    const token = state.accessToken
    const age = token ? state.now().getTime() - token.madeAt.getTime() : Infinity
    if (token?.value !== query.get('access_token') || age > TOKEN_LIVES_S * 1000) {
      return failure(40001, 'invalid credential, access_token is invalid or not latest')
    }
    return answer(request)
  }

const MessageParameters = z.object({
  touser: z.string().min(1),
  template_id: z.string().min(1),
  page: z.string().optional(),
  data: z.record(z.string(), z.object({ value: z.string().min(1) })),
  miniprogram_state: z.enum(['developer', 'trial', 'formal']),
  lang: z.string(),
})

function sendMessage({ state, body, faults }: EndpointRequest): Reply {
  const message = MessageParameters.safeParse(body).data
  if (!message) return failure(47003, 'argument invalid')
  const tooLong = Object.entries(message.data).find(
    ([name, { value }]) => name.startsWith('thing') && value.length > 20,
  )
  if (tooLong) return failure(47003, `argument invalid! data.${tooLong[0]}.value invalid`)
  if (faults.has('not_subscribed')) return failure(43101, 'user refuse to accept the msg')
  const { touser: openid, template_id: templateId, data, page } = message
  const sent = { openid, templateId, data, at: state.now(), ...(page !== undefined && { page }) }
  state.store.save({ kind: 'message', key: randomText(8), value: sent })
  remember(state.messages, sent)
  return success()
}

const ShippingParameters = z.object({
  order_key: z.object({ order_number_type: z.literal(2), transaction_id: z.string() }),
  logistics_type: z.number().int().min(1).max(4),
  delivery_mode: z.literal(1),
  shipping_list: z.array(z.object({ item_desc: z.string().min(1).max(120) })).length(1),
  upload_time: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+08:00$/),
  payer: z.object({ openid: z.string() }),
})

const paymentNamed = (state: PlatformState, transactionId: unknown) =>
  [...state.orders.values()]
    .flatMap(({ payments }) => payments)
    .find((one) => one.transactionId === transactionId)

function uploadShipping({ state, body, faults }: EndpointRequest): Reply {
  const parameters = ShippingParameters.safeParse(body).data
  if (!parameters) return failure(47001, 'data format error')
  const { transaction_id: transactionId } = parameters.order_key
  const payment = paymentNamed(state, transactionId)
  if (!payment || faults.has('shipping_not_ready')) return failure(10060001, '支付单不存在')
  if (payment.payerOpenid !== parameters.payer.openid)
    return failure(10060031, '该笔支付单不属于openid所指定的用户')
  if (state.shipped.has(transactionId)) return failure(10060002, '支付单已完成发货，无法继续发货')
  state.shipped.add(transactionId)
  state.store.save({ kind: 'shipped', key: transactionId, value: true })
  return success()
}

function showShipping({ state, body: { transaction_id } }: EndpointRequest): Reply {
  if (!paymentNamed(state, transaction_id)) return failure(10060001, '支付单不存在')
  const shipped = typeof transaction_id === 'string' && state.shipped.has(transaction_id)
  return success({ order: { transaction_id, order_state: shipped ? 2 : 1 } })
}

/** The mini-program side: no signature, no refusal by status (protocol §9). */
export const miniProgramEndpoints: readonly PlatformEndpoint[] = [
  { method: 'GET', path: /^\/sns\/jscode2session$/, place: 'mini_program', answer: logIn },
  { method: 'POST', path: /^\/cgi-bin\/stable_token$/, place: 'access_token', answer: giveToken },
  {
    method: 'POST',
    path: /^\/cgi-bin\/message\/subscribe\/send$/,
    place: 'mini_program',
    answer: withToken(sendMessage),
  },
  {
    method: 'POST',
    path: /^\/wxa\/sec\/order\/upload_shipping_info$/,
    place: 'mini_program',
    answer: withToken(uploadShipping),
  },
  {
    method: 'POST',
    path: /^\/wxa\/sec\/order\/get_order$/,
    place: 'mini_program',
    answer: withToken(showShipping),
  },
]
