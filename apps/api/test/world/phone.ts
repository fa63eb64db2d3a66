import {
  JsapiPaymentParams,
  Order,
  Purchase,
  Subscription,
  SyncAnswer,
  TokenPair,
  VirtualPaymentParams,
} from '@meridian/contracts'
import type { Platform } from '@meridian/payments/testing'
import { z } from 'zod'
import { judgeAnswer } from './judged-origins.ts'

export type Answer = { status: number; headers: Headers; body: unknown }
type Call = {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  token?: string | null
  /** Set where a test breaks the API on purpose, so that it answers what its document does not know. */
  undeclared?: true
}

/**
 * One HTTP call as `wx.request` makes it: the content type is always sent.
 * @throws Error when the answer is not as the document of the API declares it
 */
export async function call(
  url: string,
  { method = 'GET', body, headers = {}, token, undeclared }: Call = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json: unknown =
    text && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
  const answer = { status: response.status, headers: response.headers, body: json }
  if (!undeclared) await judgeAnswer({ url, method, ...answer })
  return answer
}

const Problem = z.object({ code: z.string() })

/** What a purchase answers by each channel. */
export const JsapiPurchase = Purchase.extend({ payment_params: JsapiPaymentParams })
export type JsapiPurchase = z.infer<typeof JsapiPurchase>
export const VirtualPurchase = Purchase.extend({ payment_params: VirtualPaymentParams })
export type VirtualPurchase = z.infer<typeof VirtualPurchase>

/** What virtual payment is bought by: the phone's system says which money system takes it. */
export type Handset = 'android' | 'ios'
export type VirtualWish = {
  planCode?: string
  key?: string
  system?: Handset
  loginCode?: string
  more?: object
}

/** A person with the mini-program: only what the public contract offers. */
export class Phone {
  readonly api: string
  readonly openid: string
  readonly platform: Platform
  tokens: TokenPair

  constructor(
    api: string,
    { openid, platform, tokens }: { openid: string; platform: Platform; tokens: TokenPair },
  ) {
    this.api = api
    this.openid = openid
    this.platform = platform
    this.tokens = tokens
  }

  /**
   * Signs in; while the platform gives no answer in time, again with a new code, as often as the mini-program does.
   * @throws Error with the answer that refused it
   */
  static async logIn(url: string, platform: Platform, openid: string): Promise<Phone> {
    const api = `${url}/api/v1`
    for (let attempt = 1; ; attempt += 1) {
      const { status, body } = await call(`${api}/auth/login`, {
        method: 'POST',
        body: { code: platform.loginCode(openid) },
      })
      if (status === 200) return new Phone(api, { openid, platform, tokens: TokenPair.parse(body) })
      if (status !== 503 || attempt === 3)
        throw new Error(`The sign-in was answered ${status}: ${JSON.stringify(body)}`)
    }
  }

  call(path: string, request: Call = {}): Promise<Answer> {
    return this.callAt(this.api, path, request)
  }

  /** The same phone, led to another replica. Where its token ran out it signs in again, as the mini-program does. */
  async callAt(api: string, path: string, request: Call = {}): Promise<Answer> {
    const answer = await call(`${api}${path}`, { token: this.tokens.access_token, ...request })
    if (request.token !== undefined || Problem.safeParse(answer.body).data?.code !== 'token_expired')
      return answer
    this.tokens = (await Phone.logIn(new URL(api).origin, this.platform, this.openid)).tokens
    return call(`${api}${path}`, { token: this.tokens.access_token, ...request })
  }

  purchaseAnswer(planCode: string, key?: string, more: object = {}): Promise<Answer> {
    return this.call('/subscription/purchase', {
      method: 'POST',
      body: { plan_code: planCode, ...more },
      headers: key ? { 'idempotency-key': key } : {},
    })
  }

  async buys(planCode = 'monthly', key?: string): Promise<JsapiPurchase> {
    return JsapiPurchase.parse((await this.purchaseAnswer(planCode, key)).body)
  }

  /** What `wx.requestPayment` does with the params; the platform then notifies. */
  pays(
    purchase: JsapiPurchase,
    changes: { silent?: boolean; once?: boolean; late?: boolean; paidAt?: Date } = {},
  ) {
    return this.platform.requestPayment(purchase.payment_params, { openid: this.openid, ...changes })
  }

  /** Buys a plan and pays for it; the platform then notifies. Answers the number of the order. */
  async buysAndPays(planCode = 'monthly', key?: string): Promise<string> {
    const purchase = await this.buys(planCode, key)
    await this.pays(purchase)
    return purchase.order.out_trade_no
  }

  /** A purchase as a client makes it that can pay virtually, with a login code of its own. */
  virtualAnswer({
    planCode = 'monthly',
    key,
    system = 'android',
    loginCode,
    more = {},
  }: VirtualWish = {}): Promise<Answer> {
    const login_code = loginCode ?? this.platform.loginCode(this.openid)
    return this.call('/subscription/purchase', {
      method: 'POST',
      body: { plan_code: planCode, channels: ['jsapi', 'virtual'], login_code, ...more },
      headers: { 'x-client-platform': system, ...(key && { 'idempotency-key': key }) },
    })
  }

  async buysVirtually(wish: VirtualWish = {}): Promise<VirtualPurchase> {
    return VirtualPurchase.parse((await this.virtualAnswer(wish)).body)
  }

  /** What `wx.requestVirtualPayment` does with the params; the platform then pushes. */
  paysVirtually(
    { payment_params: params }: VirtualPurchase,
    {
      system = 'android',
      ...changes
    }: { system?: Handset; silent?: boolean; once?: boolean; paidAt?: Date } = {},
  ) {
    return this.platform.requestVirtualPayment(params, { openid: this.openid, system, ...changes })
  }

  /** Buys a plan virtually and pays for it. Answers the number of the order. */
  async buysAndPaysVirtually(wish: VirtualWish = {}): Promise<string> {
    const purchase = await this.buysVirtually(wish)
    await this.paysVirtually(purchase, { ...(wish.system && { system: wish.system }) })
    return purchase.order.out_trade_no
  }

  async subscription(): Promise<Subscription> {
    return Subscription.parse((await this.call('/subscription')).body)
  }

  async order(outTradeNo: string): Promise<Order> {
    return z.object({ order: Order }).parse((await this.call(`/subscription/orders/${outTradeNo}`)).body)
      .order
  }

  async syncs(outTradeNo: string): Promise<z.infer<typeof SyncAnswer>> {
    return SyncAnswer.parse(
      (await this.call(`/subscription/orders/${outTradeNo}/sync`, { method: 'POST' })).body,
    )
  }
}

/** The problem code of a failed answer. */
export const codeOf = (answer: Answer): string => Problem.parse(answer.body).code
