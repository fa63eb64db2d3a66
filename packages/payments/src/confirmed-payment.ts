import type { VirtualEnv } from './virtual/virtual-order.ts'

/** Where the platform told us so. */
export type PaymentSource = 'notification' | 'query' | 'bill'

/** What both channels tell. */
type CommonFacts = {
  source: PaymentSource
  /** The number it was paid under: the order's own; in virtual payment the attempt's. */
  outTradeNo: string
  /** What the order was for, in fen (`amount.total`), not what the payer paid after coupons. */
  amountFen: number
  currency: string
  appId: string
  payerOpenid: string | null
  paidAt: Date
}

type JsapiFacts = CommonFacts & {
  channel: 'jsapi'
  transactionId: string
  mchId: string
  tradeType: string
  bankType: string | null
}

/** What virtual payment tells; null where this source does not (virtual payment §3.2, §4.4). */
export type GoodsFacts = {
  env: VirtualEnv
  productId: string | null
  quantity: number | null
  attach: string | null
  /** What the payer paid, where it is told beside what the order was for. */
  paidFen: number | null
  /** Paid through Apple. A push only says whether WeChat Pay took part; an answer says it by its number. */
  byApple: boolean
}

type VirtualFacts = CommonFacts & {
  channel: 'virtual'
  /** WeChat Pay's number; Apple's payments have none. */
  transactionId: string | null
  goods: GoodsFacts
}

export type PaymentFacts = JsapiFacts | VirtualFacts

/** The trade type of a virtual payment: ours, since the platform has no word for it. Apple's cannot be refunded by us. */
export const virtualTradeType = ({ byApple }: Pick<GoodsFacts, 'byApple'>): 'APPLE' | 'VIRTUAL' =>
  byApple ? 'APPLE' : 'VIRTUAL'

let make: (facts: PaymentFacts) => ConfirmedPayment

/**
 * A payment that the platform itself gave us, in a verified notification, a verified query answer or a row of a
 * verified bill (protocol §4.1, §5.1, §7.4; virtual payment §3.2, §4.4). Only this package can make one: outside it there is no value to call,
 * and the private brand keeps look-alikes from fitting the type.
 */
export class ConfirmedPayment {
  readonly #confirmed = true
  readonly channel: PaymentFacts['channel']
  readonly source: PaymentSource
  readonly outTradeNo: string
  /**
   * What tells this payment from every other: WeChat Pay's transaction; in virtual payment the attempt, since Apple's
   * payments have no transaction.
   */
  readonly paymentNo: string
  readonly transactionId: string | null
  readonly amountFen: number
  readonly currency: string
  readonly appId: string
  /** Null in virtual payment, whose messages name neither merchant nor offer. */
  readonly mchId: string | null
  readonly payerOpenid: string | null
  readonly tradeType: string
  readonly bankType: string | null
  readonly paidAt: Date
  /** Of virtual payment alone. */
  readonly goods: GoodsFacts | null

  private constructor(facts: PaymentFacts) {
    const isVirtual = facts.channel === 'virtual'
    this.channel = facts.channel
    this.source = facts.source
    this.outTradeNo = facts.outTradeNo
    this.paymentNo = isVirtual ? facts.outTradeNo : facts.transactionId
    this.transactionId = facts.transactionId
    this.amountFen = facts.amountFen
    this.currency = facts.currency
    this.appId = facts.appId
    this.mchId = isVirtual ? null : facts.mchId
    this.payerOpenid = facts.payerOpenid
    this.tradeType = isVirtual ? virtualTradeType(facts.goods) : facts.tradeType
    this.bankType = isVirtual ? null : facts.bankType
    this.paidAt = facts.paidAt
    this.goods = isVirtual ? facts.goods : null
  }

  static {
    make = (facts) => new ConfirmedPayment(facts)
  }

  /** True for a value that this package made; a copy or a look-alike is not one. */
  static isOne(value: unknown): value is ConfirmedPayment {
    return typeof value === 'object' && value !== null && #confirmed in value && value.#confirmed
  }
}

/** Call only with what has been verified. */
export const confirmPayment = (facts: PaymentFacts): ConfirmedPayment => make(facts)
