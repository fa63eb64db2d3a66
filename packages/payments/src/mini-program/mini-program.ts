import type { VirtualPayments, VirtualSettings } from '../virtual/virtual-payments.ts'

/** Which mini-program, and where its platform is: https; http for loopback only. */
export type MiniProgramSettings = { appId: string; appSecret: string; baseUrl: string }

/** Why the mini-program platform did not do it: `busy`, `unreachable` and `timeout` may pass (protocol §9). */
export type MiniProgramReason =
  | 'invalid_code'
  | 'blocked'
  | 'busy'
  | 'misconfigured'
  | 'unreachable'
  | 'timeout'
  | 'not_subscribed'
  | 'not_yet'
  | 'invalid_request'
  | VirtualReason
  | 'refused'

/**
 * What only virtual payment refuses for: the platform knows no such number in this environment, the session belongs to
 * somebody else, the order cannot be refunded by us, or what is left of it is another sum (virtual payment §3.11).
 */
export type VirtualReason = 'unknown_order' | 'other_user' | 'not_refundable' | 'left_changed'

/** Why the mini-program platform did not do it; `errcode` is its number (protocol §9). No text of it is kept. */
export class MiniProgramError extends Error {
  readonly reason: MiniProgramReason
  readonly errcode: number | null
  /** The platform's number of the call (`rid`), for its support. */
  readonly requestId: string | null

  constructor(reason: MiniProgramReason, errcode: number | null = null, requestId: string | null = null) {
    super(errcode === null ? reason : `${reason} (${errcode})`)
    this.name = 'MiniProgramError'
    this.reason = reason
    this.errcode = errcode
    this.requestId = requestId
  }
}

/** One message to one user, by a template of the platform (protocol §9.4). */
export type SubscribeMessage = {
  openid: string
  templateId: string
  /** Page path inside the mini-program. */
  page?: string
  data: Readonly<Record<string, string>>
  state?: 'developer' | 'trial' | 'formal'
}

/** Which payment was for what, for the shipping service (protocol §9.5). */
export type ShippingInformation = {
  transactionId: string
  payerOpenid: string
  /** At most 120 characters. */
  itemDescription: string
}

/**
 * The server side of one mini-program (protocol §9). Make one and keep it: it holds the shared access token (§9.2).
 * Each request has five seconds. Every call throws MiniProgramError: `busy`, `unreachable` and `timeout` may pass, `misconfigured`
 * does not.
 */
export type MiniProgram = {
  /**
   * Exchanges a `wx.login` code, which works once within five minutes (protocol §9.1). The session key stays here and
   * is dropped. Throws `invalid_code`, after which the phone must log in anew, or `blocked`.
   */
  login(code: string): Promise<{ openid: string; unionid: string | null }>
  /** Spends one permission that the user gave (protocol §9.4). Throws `not_subscribed` where there is none. */
  sendSubscribeMessage(message: SubscribeMessage): Promise<void>
  /**
   * Tells the platform that virtual goods were handed over; `already` counts as done (protocol §9.5). Throws `not_yet`
   * where the platform does not know the payment yet: try again in a minute; `invalid_request` for a description that
   * is empty or too long.
   */
  uploadShipping(shipping: ShippingInformation): Promise<'recorded' | 'already'>
  /**
   * `order_state` of the shipping service (protocol §9.5): 1 to ship, 2 shipped, 3 confirmed, 4 done, 5 refunded,
   * 6 frozen.
   */
  shippingState(transactionId: string): Promise<number>
  /** Virtual payment of this mini-program, under the same access token. */
  virtualPayments(settings: VirtualSettings): VirtualPayments
}
