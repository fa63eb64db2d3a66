import type { ConfirmedPayment, PaymentSource } from './confirmed-payment.ts'

/** How a refund stands: `abnormal` needs somebody to say where its money goes (protocol §6.3, §6.4). */
export type RefundStatus = 'succeeded' | 'closed' | 'abnormal' | 'processing'

export type RefundFacts = {
  channel: 'jsapi' | 'virtual'
  source: PaymentSource
  /** Ours; in virtual payment the platform's own of a refund that we did not ask for. */
  outRefundNo: string
  refundId: string
  /** The number that was paid; null where an answer of virtual payment names it not. */
  outTradeNo: string | null
  /** Null in virtual payment, which refunds numbers and not transactions. */
  transactionId: string | null
  status: RefundStatus
  amountFen: number
  /** The whole order's amount in fen; null when a bill row does not say. */
  totalFen: number | null
  /** Null where the message names none: notifications do not (protocol §6.5), answers and bills do. */
  currency: string | null
  succeededAt: Date | null
  /** The merchant named by the message; query answers name none. */
  mchId: string | null
}

let make: (facts: RefundFacts) => ConfirmedRefund

/**
 * What the platform itself says about a refund: `refund_status` in notifications, `status` in answers
 * (protocol §6.1, §6.5), 退款状态 in bills (§7.4). Accepted is not succeeded: look at `status`. Only this package can
 * make one.
 */
export class ConfirmedRefund {
  readonly #confirmed = true
  readonly channel: 'jsapi' | 'virtual'
  readonly source: PaymentSource
  readonly outRefundNo: string
  readonly refundId: string
  readonly outTradeNo: string | null
  readonly transactionId: string | null
  readonly status: RefundStatus
  readonly amountFen: number
  readonly totalFen: number | null
  readonly currency: string | null
  readonly succeededAt: Date | null
  readonly mchId: string | null

  private constructor(facts: RefundFacts) {
    this.channel = facts.channel
    this.source = facts.source
    this.outRefundNo = facts.outRefundNo
    this.refundId = facts.refundId
    this.outTradeNo = facts.outTradeNo
    this.transactionId = facts.transactionId
    this.status = facts.status
    this.amountFen = facts.amountFen
    this.totalFen = facts.totalFen
    this.currency = facts.currency
    this.succeededAt = facts.succeededAt
    this.mchId = facts.mchId
  }

  static {
    make = (facts) => new ConfirmedRefund(facts)
  }

  /** True for a value that this package made; a copy or a look-alike is not one. */
  static isOne(value: unknown): value is ConfirmedRefund {
    return typeof value === 'object' && value !== null && #confirmed in value && value.#confirmed
  }
}

/** Call only with what has been verified. */
export const confirmRefund = (facts: RefundFacts): ConfirmedRefund => make(facts)

/** What a message or a row of a bill may confirm. */
export type Confirmed =
  | { kind: 'payment'; payment: ConfirmedPayment }
  | { kind: 'refund'; refund: ConfirmedRefund }
