import type { FundFlowBill, TradeBill } from './bills/bill.ts'
import type { ConfirmedPayment } from './confirmed-payment.ts'
import type { Confirmed, ConfirmedRefund } from './confirmed-refund.ts'

/** Headers as a server has them: names in any case. */
export type HeaderBag = Readonly<Record<string, string | readonly string[] | undefined>>

/** A delivery as it came: the bytes must be the ones received, unparsed and unaltered. */
export type ReceivedNotification = { headers: HeaderBag; body: Uint8Array }

/** How a kept notification is read once more: when it came, and keys that have left the ring since then. */
export type Reread = { receivedAt: Date; olderKeys?: readonly { id: string; pem: string }[] }

/** A notification whose signature held and whose content was decrypted (protocol §5, §6.5). */
export type VerifiedNotification = {
  /** The platform's id of this notification, the same on every repetition. */
  id: string
  eventType: string
  createdAt: Date
  summary: string
  /** Which key signed it: certificate serial or `PUB_KEY_ID_…`. */
  serial: string
  /** The decrypted content as the platform wrote it. */
  payload: unknown
} & (Confirmed | { kind: 'unknown' })

/** `requestId` is the platform's `Request-ID`: log it with the order (protocol §1.6). */
export type Answered = { requestId: string | null }

/** An order as it is placed on the platform (protocol §3.1); `amountFen` is the price in fen. */
export type PrepayOrder = {
  /** 6–32 of `[0-9A-Za-z_-]`. */
  outTradeNo: string
  /** 1–127 characters of three-byte UTF-8. */
  description: string
  amountFen: number
  payerOpenid: string
  expiresAt: Date
  signal?: AbortSignal
}

/** What `wx.requestPayment` takes. */
export type PaymentParams = {
  timeStamp: string
  nonceStr: string
  package: string
  signType: 'RSA'
  paySign: string
}

/** `refunded` is still a paid order: every refund, also a partial one, moves the platform's state to it. */
export type OrderAnswer = Answered &
  (
    | { state: 'paid'; payment: ConfirmedPayment }
    | { state: 'refunded'; payment: ConfirmedPayment }
    | { state: 'not_paid' }
    | { state: 'closed' }
    | { state: 'no_such_order' }
    | { state: 'unknown'; tradeState: string }
  )

/** A refund as it is asked for, sums in fen (protocol §6.1). */
export type RefundRequest = {
  /** The same on every retry of the same intent: a new number refunds twice. */
  outRefundNo: string
  amountFen: number
  /** The whole payment's amount in fen. */
  totalFen: number
  reason?: string
  signal?: AbortSignal
} & RefundedPayment

/** Which payment is returned: the one of an order, or one of several by its own number (protocol §6.1). */
type RefundedPayment =
  | { outTradeNo: string; transactionId?: undefined }
  | { transactionId: string; outTradeNo?: undefined }

/** A refund that the platform has accepted: look at its status. */
export type RefundAnswer = Answered & { refund: ConfirmedRefund }

/** How a refund is doing, or that it was never accepted (protocol §6.3). */
export type RefundQueryAnswer = Answered &
  ({ state: 'known'; refund: ConfirmedRefund } | { state: 'no_such_refund' })

/** Where the money of an abnormal refund goes; card number and name are encrypted before sending. */
export type AbnormalRefund = { refundId: string; outRefundNo: string } & (
  | { to: 'user_bank_card'; bankType: string; bankAccount: string; realName: string }
  | { to: 'merchant_bank_card' }
)

/** A platform key in the ring. Public material only. */
export type PlatformKey = {
  id: string
  kind: 'certificate' | 'public_key'
  source: 'settings' | 'download'
  pem: string
  effectiveAt: Date | null
  expiresAt: Date | null
}

/** The keys in the ring, and when certificates were last downloaded. */
export type KeyReport = { keys: readonly PlatformKey[]; downloadKeys: boolean; refreshedAt: Date | null }

/**
 * One merchant's way to WeChat Pay (protocol §12). Make one per merchant and keep it. Amounts are integers of fen. The
 * calls but the bills end within five seconds, one repeat included (§8.4), and throw PaymentsError: its `reason` says what went
 * wrong, its `advice` what to do about it. `signal` gives a call up: `timeout`.
 */
export type Payments = {
  readonly appId: string
  readonly mchId: string
  /** Host (with port) of the configured platform: a payment made on another platform is not ours. */
  readonly platformHost: string
  /**
   * Verifies and decrypts a delivery from its raw bytes (protocol §5.2), in this process alone. Throws PaymentsError
   * `headers_missing`, `stale`, `unknown_serial`, `bad_signature`, `probe`, `malformed_envelope`,
   * `unsupported_algorithm`, `undecryptable` or `malformed_payload`, and nothing else.
   */
  readNotification(received: ReceivedNotification): VerifiedNotification
  /** Reads a kept notification once more, verified as on the day it came; throws like the first reading (protocol §5.2). */
  rereadNotification(received: ReceivedNotification, reread: Reread): VerifiedNotification
  /**
   * Places the order, or finds the same one again, and obtains its `prepay_id`, good for two hours (protocol §3.1,
   * §3.2). Throws `invalid_request` before sending, `refused` with the platform's code: `OUT_TRADE_NO_USED` where
   * anything differs from the first time.
   */
  prepay(order: PrepayOrder): Promise<Answered & { prepayId: string }>
  /** Signs what `wx.requestPayment` takes, for now and without a call (protocol §3.3). */
  paymentParams(prepayId: string): Promise<PaymentParams>
  /** Asks for an order by our number, the only way to find an unpaid one (protocol §4.1). Not found is no error. */
  queryOrder(outTradeNo: string, signal?: AbortSignal): Promise<OrderAnswer>
  /** Asks for a paid order by the platform's number (protocol §4.1). Not found is no error. */
  queryTransaction(transactionId: string, signal?: AbortSignal): Promise<OrderAnswer>
  /** Closes an unpaid order, again and again if need be; `paid`: it cannot be, ask for it (protocol §4.2). */
  closeOrder(outTradeNo: string, signal?: AbortSignal): Promise<'closed' | 'paid'>
  /**
   * Asks for a refund in fen; accepted is not succeeded (protocol §6.1, §6.2). Throws `invalid_request` before
   * sending; a time-out or 429 has the advice `ask_again`, since it may have been accepted.
   */
  requestRefund(refund: RefundRequest): Promise<RefundAnswer>
  /** How a refund is doing; `no_such_refund`: it was never accepted, send the same one again (protocol §6.3). */
  queryRefund(outRefundNo: string, signal?: AbortSignal): Promise<RefundQueryAnswer>
  /**
   * Sends the money of an abnormal refund to a bank card, number and name encrypted (protocol §6.4, §2.4). Throws
   * `invalid_request` for what cannot be sent, or while no platform key is known.
   */
  applyAbnormalRefund(refund: AbnormalRefund): Promise<RefundAnswer>
  /**
   * Downloads the payments and refunds of a day, `YYYY-MM-DD` in China, of the last three months and after ten o'clock
   * of the next day (protocol §7). The hash has been checked when this resolves; amounts are fen. No bill on that day
   * or not yet is an answer. Throws `invalid_request`, or `unverified_answer` for another hash.
   */
  tradeBill(date: string): Promise<TradeBill>
  /** The movements of money on an account, `BASIC` unless told otherwise; else as `tradeBill` (protocol §7.1, §7.4). */
  fundFlowBill(date: string, account?: 'BASIC' | 'OPERATION' | 'FEES'): Promise<FundFlowBill>
  /** Downloads the platform certificates into the ring; with download off, does nothing (protocol §2.2). */
  refreshKeys(): Promise<KeyReport>
  /** Adds certificates that another replica downloaded (protocol §2.2). Throws an Error where one is none, or our own. */
  adoptKeys(keys: readonly { id: string; pem: string }[]): KeyReport
  /** The keys in the ring, all of them public (protocol §2.1). */
  keyReport(): KeyReport
  /** Platform's clock minus ours in milliseconds, seen in the last answer (protocol §1.4); null before the first. */
  clockSkewMs(): number | null
}
