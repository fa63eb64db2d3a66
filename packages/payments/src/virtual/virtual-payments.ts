import type { ConfirmedPayment } from '../confirmed-payment.ts'
import type { RefundQueryAnswer } from '../payments.ts'
import type { PushQuery } from './push.ts'
import type { VerifiedPush } from './read-push.ts'
import type { VirtualEnv, VirtualOrder } from './virtual-order.ts'

/** What the console of the platform gives for virtual payment (virtual payment §1.4). */
export type VirtualSettings = {
  offerId: string
  /** The AppKey that belongs to `env`: there are two. */
  appKey: string
  env: VirtualEnv
  /** 3 to 32 letters and digits. */
  pushToken: string
  /** The EncodingAESKey: 43 letters and digits. */
  pushAesKey: string
}

/** One signed call: its number is used once (virtual payment §2.2). */
export type VirtualAttempt = {
  /** 8 to 32 of `[0-9A-Za-z_-|*@]`, not beginning with `_`. */
  attemptNo: string
  /** The published item: at most 20 of `[A-Za-z0-9_-]`. */
  productId: string
  amountFen: number
}

/**
 * What `wx.requestVirtualPayment` takes, to be handed over as it is: `signData` is the very text that was signed
 * (virtual payment §2.1).
 */
export type VirtualPaymentParams = {
  mode: 'short_series_goods'
  signData: string
  paySig: string
  signature: string
}

/** A refund of virtual payment as it is asked for, sums in fen (virtual payment §3.4). */
export type VirtualRefund = {
  /** 8 to 32 of `[A-Za-z0-9_-]`; the same on every repeat, with the same sums. */
  outRefundNo: string
  /** The number that was paid. */
  attemptNo: string
  payerOpenid: string
  amountFen: number
  /** `leftFen` of the order as it was just asked for. */
  leftFen: number
  reason: VirtualRefundReason
  /** Who wants it. */
  requestedBy: 'staff' | 'user' | 'other'
}

/** Why money is returned, of the reasons that the platform knows (virtual payment §3.4). */
export type VirtualRefundReason = 'none' | 'product' | 'after_sales' | 'users_wish' | 'price' | 'other'

/** An item as it is uploaded: its id can neither be changed nor be taken back (virtual payment §1.4, §3.6). */
export type VirtualItem = {
  id: string
  /** At most 20 characters. */
  name: string
  priceFen: number
  /** 1 to 1024 characters. */
  remark: string
  pictureUrl: string
}

/**
 * How the one task of items that the platform keeps is doing, item by item; with the price, in fen, where its answer
 * tells one: no page says that it must.
 */
export type ItemTask = {
  state: 'none' | 'running' | 'failed' | 'done'
  items: readonly { id: string; state: 'running' | 'exists' | 'done' | 'failed'; priceFen: number | null }[]
}

/** A bill's addresses, each good for 30 minutes; none while it is being made: ask again later (virtual payment §3.7). */
export type VirtualBill = { state: 'later' } | { state: 'ready'; urls: readonly string[] }

/** A bill as it came, whatever it is: its layout is documented nowhere (virtual payment §3.7). */
export type RawBill = {
  /** Over the bytes, hexadecimal. */
  sha1: string
  bytes: () => AsyncIterable<Uint8Array>
  /** Lets go of the file that the bytes lie in. */
  discard: () => Promise<void>
}

/** What Apple is told about a refund that it is asked for: let it pass, or refuse (virtual payment §4.6). */
export type RefundOpinion = { letPass: boolean; info: string; evidence: string }

/** What the platform says of an attempt. `refunded` is still a paid one, and partial refunds show so too. */
export type VirtualAnswer = { requestId: null } & (
  | { state: 'paid' | 'refunded'; payment: ConfirmedPayment; order: VirtualOrder }
  | { state: 'not_paid' | 'closed'; order: VirtualOrder }
  | { state: 'unknown'; tradeState: string; order: VirtualOrder }
  | { state: 'no_such_order' }
)

/**
 * Virtual payment of one mini-program (virtual payment, goods). Amounts are integers of fen. Every call ends within five
 * seconds, with one access token that the whole mini-program shares, and throws MiniProgramError: `unknown_order`,
 * `not_yet`, `not_refundable` and `left_changed` are answers, `busy` and `unreachable` may pass, `misconfigured` does not.
 * None of them ever says that an order is not paid.
 */
export type VirtualPayments = {
  readonly appId: string
  readonly offerId: string
  readonly env: VirtualEnv
  /** Host (with port) of the platform, and the environment: an order of another one is not ours. */
  readonly platformHost: string
  /**
   * Signs a payment for whoever logged in with this code, once: the session key is fetched, used and forgotten here
   * (virtual payment §2.3, §2.4). Throws `invalid_code`, or `other_user` where the code is another person's.
   */
  signPayment(
    attempt: VirtualAttempt,
    by: { loginCode: string; openid: string },
  ): Promise<VirtualPaymentParams>
  /** Asks for an order or a refund by its number (virtual payment §3.2). Throws `unknown_order`. */
  queryOrder(number: string, payerOpenid: string): Promise<VirtualOrder>
  /** Asks for an attempt (virtual payment §3.2). Not found is no error. */
  queryAttempt(attemptNo: string, payerOpenid: string): Promise<VirtualAnswer>
  /** How a refund of ours is doing, by its own number (virtual payment §3.3). Not found is no error. */
  queryRefund(outRefundNo: string, payerOpenid: string): Promise<RefundQueryAnswer>
  /** Says that what was bought has been handed over (virtual payment §3.5). */
  provideGoods(attemptNo: string): Promise<void>
  /** Asks for a refund; answered is begun, and not done (virtual payment §3.4). Throws `left_changed`, `not_refundable`. */
  requestRefund(refund: VirtualRefund): Promise<{ platformRefundId: string | null }>
  uploadItem(item: VirtualItem): Promise<void>
  uploadedItems(): Promise<ItemTask>
  publishItem(id: string): Promise<void>
  publishedItems(): Promise<ItemTask>
  /** The bill of a day, `YYYY-MM-DD`, of what was not paid through Apple (virtual payment §3.7). */
  dailyBill(date: string): Promise<VirtualBill>
  /** Apple's bill of a month, `YYYY-MM` (virtual payment §3.7). */
  appleBill(month: string): Promise<VirtualBill>
  /**
   * Downloads a bill from one of its addresses; `discard` it in the end. Throws PaymentsError, `malformed_answer` where
   * the address is not https or the bill is longer than 64 MiB.
   */
  downloadBill(url: string): Promise<RawBill>
  /** What to answer when the platform verifies our address. Throws PaymentsError. */
  verifyAddress(query: PushQuery): string
  /**
   * Verifies, decrypts and reads a push from its raw bytes, in this process alone (virtual payment §4). What was kept is
   * read once more by the same call: nothing says how old a push may be. Throws PaymentsError `headers_missing`,
   * `malformed_envelope`, `bad_signature`, `undecryptable` or `malformed_payload`, and nothing else.
   */
  readPush(query: PushQuery, body: Uint8Array): VerifiedPush
  /** The body that answers Apple's inquiry: flat and sealed (virtual payment §4.6, assumption in §9). */
  answerInquiry(opinion: RefundOpinion): string
}
