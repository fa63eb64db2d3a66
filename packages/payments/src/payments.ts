import type { FundFlowBill, TradeBill } from './bills/bill.ts'
import type { ConfirmedPayment } from './confirmed-payment.ts'
import type { ConfirmedRefund } from './confirmed-refund.ts'
import type {
  ReceivedNotification,
  Reread,
  VerifiedNotification,
} from './notification/verified-notification.ts'

/** `requestId` is the platform's `Request-ID`: log it with the order (protocol §1.6). */
export type Answered = { requestId: string | null }

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

export type RefundRequest = {
  /** The same on every retry of the same intent: a new number refunds twice. */
  outRefundNo: string
  outTradeNo: string
  amountFen: number
  /** The whole order's amount in fen. */
  totalFen: number
  reason?: string
  signal?: AbortSignal
}

export type RefundAnswer = Answered & { refund: ConfirmedRefund }

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

export type KeyReport = { keys: readonly PlatformKey[]; downloadKeys: boolean; refreshedAt: Date | null }

/** One merchant's way to WeChat Pay. Make one per merchant and keep it. */
export type Payments = {
  readonly appId: string
  readonly mchId: string
  /** Host (with port) of the configured platform: a payment made on another platform is not ours. */
  readonly platformHost: string
  readNotification(received: ReceivedNotification): VerifiedNotification
  /** Reads a kept notification once more, verified as on the day it came. */
  rereadNotification(received: ReceivedNotification, reread: Reread): VerifiedNotification
  prepay(order: PrepayOrder): Promise<Answered & { prepayId: string }>
  paymentParams(prepayId: string): Promise<PaymentParams>
  queryOrder(outTradeNo: string, signal?: AbortSignal): Promise<OrderAnswer>
  queryTransaction(transactionId: string, signal?: AbortSignal): Promise<OrderAnswer>
  closeOrder(outTradeNo: string, signal?: AbortSignal): Promise<'closed' | 'paid'>
  requestRefund(refund: RefundRequest): Promise<RefundAnswer>
  queryRefund(outRefundNo: string, signal?: AbortSignal): Promise<RefundQueryAnswer>
  applyAbnormalRefund(refund: AbnormalRefund): Promise<RefundAnswer>
  /** `date` is `YYYY-MM-DD`, China time. */
  tradeBill(date: string): Promise<TradeBill>
  fundFlowBill(date: string, account?: 'BASIC' | 'OPERATION' | 'FEES'): Promise<FundFlowBill>
  /** Downloads the platform certificates into the ring; with download off, does nothing. */
  refreshKeys(): Promise<KeyReport>
  /** Adds certificates that another replica downloaded. */
  adoptKeys(keys: readonly { id: string; pem: string }[]): KeyReport
  keyReport(): KeyReport
  /** Platform's clock minus ours in milliseconds, seen in the last answer; null before the first. */
  clockSkewMs(): number | null
}
