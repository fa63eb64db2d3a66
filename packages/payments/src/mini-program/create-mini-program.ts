import { z } from 'zod'
import { chinaTime } from '../endpoints/orders.ts'
import type { Runtime } from '../runtime.ts'
import { openVirtualPayments } from '../virtual/open-virtual-payments.ts'
import { type AuthorizedCall, authorizedCaller, callMiniProgram } from './call-mini-program.ts'
import {
  type MiniProgram,
  MiniProgramError,
  type MiniProgramSettings,
  type ShippingInformation,
  type SubscribeMessage,
} from './mini-program.ts'

const VIRTUAL_GOODS = 3
const UNIFIED_DELIVERY = 1
const BY_TRANSACTION_ID = 2
const LONGEST_DESCRIPTION = 120

/** Recorded before, or nothing changed: done all the same (protocol §9.5). */
const ALREADY: ReadonlySet<number | null> = new Set([10060002, 10060003, 10060023])

/**
 * Records that virtual goods were handed over, without which the money stays frozen (protocol §9.5). Throws
 * MiniProgramError `not_yet` where the platform does not know the payment yet: try again in a minute.
 */
async function uploadShipping(
  call: AuthorizedCall,
  { transactionId, payerOpenid, itemDescription }: ShippingInformation,
  now: Date,
): Promise<'recorded' | 'already'> {
  if (itemDescription === '' || itemDescription.length > LONGEST_DESCRIPTION) {
    throw new MiniProgramError('invalid_request')
  }
  try {
    await call({
      name: 'upload_shipping',
      path: '/wxa/sec/order/upload_shipping_info',
      body: JSON.stringify({
        order_key: { order_number_type: BY_TRANSACTION_ID, transaction_id: transactionId },
        logistics_type: VIRTUAL_GOODS,
        delivery_mode: UNIFIED_DELIVERY,
        shipping_list: [{ item_desc: itemDescription }],
        upload_time: withMilliseconds(now),
        payer: { openid: payerOpenid },
      }),
    })
    return 'recorded'
  } catch (error) {
    if (error instanceof MiniProgramError && ALREADY.has(error.errcode)) return 'already'
    throw error
  }
}

/** This interface alone wants milliseconds. */
const withMilliseconds = (time: Date): string =>
  chinaTime(time).replace('+', `.${String(time.getTime() % 1000).padStart(3, '0')}+`)

const OrderAnswer = z.object({ order: z.object({ order_state: z.number().int() }) })

/** `order_state` of a payment in the shipping service (protocol §9.5). */
async function shippingState(call: AuthorizedCall, transactionId: string): Promise<number> {
  const answer = await call({
    name: 'shipping_state',
    path: '/wxa/sec/order/get_order',
    body: JSON.stringify({ transaction_id: transactionId }),
  })
  const parsed = OrderAnswer.safeParse(answer)
  if (!parsed.success) throw new MiniProgramError('unreachable')
  return parsed.data.order.order_state
}

const SessionAnswer = z.object({
  openid: z.string().min(1),
  unionid: z.string().optional(),
  session_key: z.string().min(1).optional(),
})

/**
 * `jscode2session` (protocol §9.1). A code works once, so a failure is never repeated with the same one. The session
 * key goes to who signs with it at once, and nowhere else.
 */
async function exchangeCode(
  { appId, appSecret, baseUrl }: MiniProgramSettings,
  runtime: Runtime,
  code: string,
): Promise<{ openid: string; unionid: string | null; sessionKey: string | null }> {
  if (code === '') throw new MiniProgramError('invalid_code')
  const answer = await callMiniProgram(
    { baseUrl, runtime },
    {
      name: 'login',
      method: 'GET',
      path: '/sns/jscode2session',
      query: { appid: appId, secret: appSecret, js_code: code, grant_type: 'authorization_code' },
    },
  )
  const session = SessionAnswer.safeParse(answer)
  if (!session.success) throw new MiniProgramError('unreachable')
  const { openid, unionid = null, session_key: sessionKey = null } = session.data
  return { openid, unionid, sessionKey }
}

/** Sends one message that the user agreed to (protocol §9.4). Throws `not_subscribed` where the user did not. */
async function sendSubscribeMessage(
  call: AuthorizedCall,
  { openid, templateId, page, data, state = 'formal' }: SubscribeMessage,
): Promise<void> {
  await call({
    name: 'subscribe_message',
    path: '/cgi-bin/message/subscribe/send',
    body: JSON.stringify({
      touser: openid,
      template_id: templateId,
      ...(page !== undefined && { page }),
      data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, { value }])),
      miniprogram_state: state,
      lang: 'zh_CN',
    }),
  })
}

/** The server side of one mini-program (protocol §9). Make it once and keep it: it holds the access token. */
export function createMiniProgram(settings: MiniProgramSettings, runtime: Runtime): MiniProgram {
  const { appId, baseUrl } = settings
  const call = authorizedCaller(settings, runtime)
  const exchange = (code: string) => exchangeCode(settings, runtime, code)
  return {
    login: async (code) => {
      const { openid, unionid } = await exchange(code)
      return { openid, unionid }
    },
    sendSubscribeMessage: (message) => sendSubscribeMessage(call, message),
    uploadShipping: (shipping) => uploadShipping(call, shipping, runtime.now()),
    shippingState: (transactionId) => shippingState(call, transactionId),
    virtualPayments: (virtual) =>
      openVirtualPayments({ appId, baseUrl, runtime, call, exchangeCode: exchange }, virtual),
  }
}
