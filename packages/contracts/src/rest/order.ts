import { z } from 'zod'
import { Fen } from '../money.ts'
import { OrderStatus } from '../order-status.ts'
import { PlanCode } from './plan.ts'
import { Subscription } from './subscription.ts'

/** `M` + ULID. */
export const OutTradeNo = z.string().regex(/^M[0-9A-Z]{26}$/)

export const Order = z.object({
  out_trade_no: OutTradeNo,
  status: OrderStatus,
  plan: z.object({ code: z.string(), name: z.string(), duration_days: z.int() }),
  amount_fen: Fen,
  refunded_fen: Fen,
  currency: z.literal('CNY'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  paid_at: z.iso.datetime().nullable(),
  closed_at: z.iso.datetime().nullable(),
})
export type Order = z.infer<typeof Order>

/** What the mini-program hands to `wx.requestPayment`. */
export const PaymentParams = z.object({
  timeStamp: z.string(),
  nonceStr: z.string(),
  package: z.string(),
  signType: z.literal('RSA'),
  paySign: z.string(),
})
export type PaymentParams = z.infer<typeof PaymentParams>

export const PurchaseRequest = z.object({
  plan_code: PlanCode,
  expected_amount_fen: Fen.max(100_000_000).optional(),
})
export type PurchaseRequest = z.infer<typeof PurchaseRequest>

export const IdempotencyKey = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

export const Purchase = z.object({ order: Order, payment_params: PaymentParams })
export type Purchase = z.infer<typeof Purchase>

export const OrderAnswer = z.object({ order: Order })
export const SyncAnswer = z.object({ order: Order, subscription: Subscription })
