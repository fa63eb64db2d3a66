import { z } from 'zod'
import { Fen } from '../money.ts'
import { OrderStatus, PaymentChannel } from '../order-status.ts'

export const Subscription = z.object({
  status: z.enum(['active', 'inactive']),
  is_active: z.boolean(),
  remaining_days: z.int().nonnegative(),
  expires_at: z.iso.datetime().nullable(),
  plan: z.object({ code: z.string(), name: z.string() }).nullable(),
  features: z.array(z.string()),
})
export type Subscription = z.infer<typeof Subscription>

export const PlanCode = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_-]*$/)

export const Plan = z.object({
  code: PlanCode,
  name: z.string(),
  description: z.string(),
  duration_days: z.int(),
  price_fen: Fen,
  list_price_fen: Fen.nullable(),
  currency: z.literal('CNY'),
  features: z.array(z.string()),
  badge: z.string().nullable(),
})
export type Plan = z.infer<typeof Plan>

/** Whether and by which channel a platform may buy; no channel where it may not. */
export const Sale = z.object({
  allowed: z.boolean(),
  channel: PaymentChannel.nullable(),
  message: z.string().nullable(),
})
export type Sale = z.infer<typeof Sale>

export const PlanList = z.object({ plans: z.array(Plan), sale: Sale })
export type PlanList = z.infer<typeof PlanList>

/** `M` + ULID; an order that was imported from another system keeps the number it had there. */
export const OutTradeNo = z.string().regex(/^[0-9A-Za-z_*|-]{6,32}$/)

export const Order = z.object({
  out_trade_no: OutTradeNo,
  status: OrderStatus,
  channel: PaymentChannel,
  plan: z.object({ code: z.string(), name: z.string(), duration_days: z.int() }),
  amount_fen: Fen,
  refunded_fen: Fen,
  currency: z.literal('CNY'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  paid_at: z.iso.datetime().nullable(),
  closed_at: z.iso.datetime().nullable(),
  /** Paid in another system, and taken over. */
  imported: z.boolean(),
})
export type Order = z.infer<typeof Order>

/** What the mini-program hands to `wx.requestPayment`. */
export const JsapiPaymentParams = z.object({
  timeStamp: z.string(),
  nonceStr: z.string(),
  package: z.string(),
  signType: z.literal('RSA'),
  paySign: z.string(),
})
export type JsapiPaymentParams = z.infer<typeof JsapiPaymentParams>

/** What the mini-program hands to `wx.requestVirtualPayment`: `signData` is the very text that was signed. */
export const VirtualPaymentParams = z.object({
  mode: z.literal('short_series_goods'),
  signData: z.string(),
  paySig: z.string(),
  signature: z.string(),
})
export type VirtualPaymentParams = z.infer<typeof VirtualPaymentParams>

/** Which of the two it is, `order.channel` says. */
export const PaymentParams = z.union([JsapiPaymentParams, VirtualPaymentParams])
export type PaymentParams = z.infer<typeof PaymentParams>

export const PurchaseRequest = z.object({
  plan_code: PlanCode,
  expected_amount_fen: Fen.max(100_000_000).optional(),
  /** What the client can pay by. */
  channels: z.array(PaymentChannel).min(1).max(8).default(['jsapi']),
  /** A fresh code of `wx.login`, for virtual payment: each call has one of its own. */
  login_code: z.string().min(1).max(256).optional(),
})
export type PurchaseRequest = z.infer<typeof PurchaseRequest>

export const IdempotencyKey = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

export const Purchase = z.object({ order: Order, payment_params: PaymentParams })
export type Purchase = z.infer<typeof Purchase>

/** What the sheet of virtual payment failed with, and the number it was opened for. */
export const SheetError = z.object({ code: z.int(), number: z.string().min(1).max(64) })
export type SheetError = z.infer<typeof SheetError>

export const SyncRequest = z.object({ sheet_error: SheetError.optional() })
export type SyncRequest = z.infer<typeof SyncRequest>

export const OrderAnswer = z.object({ order: Order })
export const SyncAnswer = z.object({ order: Order, subscription: Subscription })
