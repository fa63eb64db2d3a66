import type { VirtualEnv } from '../virtual/virtual-order.ts'
import type { PayLimit } from './order-parameters.ts'
import type { VirtualKeys } from './platform-keys.ts'

export type OrderState = 'NOTPAY' | 'PAYERROR' | 'SUCCESS' | 'REFUND' | 'CLOSED'

export type PlatformPayment = { transactionId: string; paidAt: Date; payerOpenid: string; bankType: string }

/** An order as the platform keeps it; amounts in fen. */
export type PlatformOrder = {
  outTradeNo: string
  /** The exact body of the order: a repeat must equal it. */
  request: string
  description: string
  amountFen: number
  currency: string
  appId: string
  mchId: string
  payerOpenid: string
  attach: string | null
  deviceId: string | null
  limitPay: readonly PayLimit[]
  isProfitSharing: boolean
  notifyUrl: string
  expiresAt: Date | null
  createdAt: Date
  state: OrderState
  closedAt: Date | null
  prepayIds: { id: string; madeAt: Date }[]
  /** More than one only where somebody made it so. */
  payments: PlatformPayment[]
}

/** Where the money of a refund comes from, in the platform's words (protocol §6.1). */
export type FundsAccount = 'AVAILABLE' | 'UNAVAILABLE' | 'UNSETTLED' | 'BASIC'

/** A refund as the platform keeps it; amounts in fen. */
export type PlatformRefund = {
  refundId: string
  outRefundNo: string
  /** The exact body of its request. */
  request: string
  outTradeNo: string
  transactionId: string
  amountFen: number
  totalFen: number
  reason: string | null
  notifyUrl: string | null
  fundsAccount: FundsAccount
  /** How much each account pays, where the request said so. */
  from: readonly { account: string; amount: number }[]
  status: 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL'
  createdAt: Date
  succeededAt: Date | null
}

/** One number whose sheet was opened, with the status numbers of the platform (virtual payment §3.3). */
export type VirtualOrderRecord = {
  number: string
  wxOrderId: string
  channelOrderId: string
  /** WeChat Pay's number; null for Apple. */
  transactionId: string | null
  productId: string
  amountFen: number
  attach: string
  payerOpenid: string
  env: VirtualEnv
  byApple: boolean
  status: number
  createdAt: Date
  paidAt: Date | null
  leftFen: number
}

/** A refund of virtual payment as the platform keeps it; amounts in fen. */
export type VirtualRefundRecord = {
  number: string
  wxRefundId: string
  orderNumber: string
  /** The exact body of its request: a repeat must equal it. */
  request: string
  amountFen: number
  /** 5 on its way, 8 done, 7 failed. */
  status: number
  byApple: boolean
  createdAt: Date
  refundedAt: Date | null
}

/** An item on sale, its price in fen; unpublished where `publishedAt` is null. */
export type VirtualItemRecord = { id: string; priceFen: number; publishedAt: Date | null }

/** Everything of virtual payment that one platform remembers. */
export type VirtualState = {
  keys: VirtualKeys
  orders: Map<string, VirtualOrderRecord>
  refunds: Map<string, VirtualRefundRecord>
  items: Map<string, VirtualItemRecord>
  /** The key of a user's newest login; every older one is void. */
  sessionKeys: Map<string, string>
  /** Where pushes go, as the console of the platform has it; nowhere while null. */
  push: { url: string; format: 'json' | 'xml' } | null
  /** When sums reach the merchant, counted from the payment; as the platform says where it is null. */
  settlesAfterMs: number | null
}

/** Who holds the phone. A release version cannot pay in the sandbox (virtual payment §1.4). */
export type VirtualPayer = { openid: string; system: 'ios' | 'android'; release?: boolean }

/** Something that goes to the one address of a mini-program's pushes. */
export type PushAbout =
  | { delivery: VirtualOrderRecord }
  | { virtualRefund: VirtualRefundRecord }
  /** Any other event, as a test or the phone makes it up. */
  | { event: Readonly<Record<string, unknown>>; number: string }

/** Events that are made up on demand (virtual payment §4.7). */
export type PushEventKind = 'complaint' | 'risk' | 'coins' | 'foreign'

/** What a merchant answers Apple: 0 lets the refund pass, 1 refuses it (virtual payment §4.6). */
export type RefundOpinionAnswer = { result_code: 0 | 1; result_info: string; evidence: string }
