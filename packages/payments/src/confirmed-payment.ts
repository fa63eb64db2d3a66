/** Where the platform told us so. */
export type PaymentSource = 'notification' | 'query' | 'bill'

export type PaymentFacts = {
  source: PaymentSource
  outTradeNo: string
  transactionId: string
  /** What the order was for, in fen (`amount.total`), not what the payer paid after coupons. */
  amountFen: number
  currency: string
  appId: string
  mchId: string
  payerOpenid: string | null
  tradeType: string
  bankType: string | null
  paidAt: Date
}

let make: (facts: PaymentFacts) => ConfirmedPayment

/**
 * A payment that the platform itself gave us, in a verified notification, a verified query answer or a row of a
 * verified bill (protocol §4.1, §5.1, §7.4). Only this package can make one: outside it there is no value to call,
 * and the private brand keeps look-alikes from fitting the type.
 */
export class ConfirmedPayment {
  readonly #confirmed = true
  readonly source: PaymentSource
  readonly outTradeNo: string
  readonly transactionId: string
  readonly amountFen: number
  readonly currency: string
  readonly appId: string
  readonly mchId: string
  readonly payerOpenid: string | null
  readonly tradeType: string
  readonly bankType: string | null
  readonly paidAt: Date

  private constructor(facts: PaymentFacts) {
    this.source = facts.source
    this.outTradeNo = facts.outTradeNo
    this.transactionId = facts.transactionId
    this.amountFen = facts.amountFen
    this.currency = facts.currency
    this.appId = facts.appId
    this.mchId = facts.mchId
    this.payerOpenid = facts.payerOpenid
    this.tradeType = facts.tradeType
    this.bankType = facts.bankType
    this.paidAt = facts.paidAt
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
