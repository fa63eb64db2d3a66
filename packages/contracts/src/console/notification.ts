import { z } from 'zod'
import { Fen } from '../money.ts'
import { OrderStatus } from '../order-status.ts'

/** What became of a verified notification. */
export const NotificationOutcome = z.enum([
  'applied',
  'already_paid',
  'ignored',
  'order_unknown',
  'mismatch',
  'second_transaction',
  'deferred',
])
export type NotificationOutcome = z.infer<typeof NotificationOutcome>

/** These end a notification; with any other the next delivery of it, or a replay, is processed afresh. */
export const finalOutcomes = ['applied', 'already_paid', 'ignored'] as const satisfies NotificationOutcome[]

export const NotificationReference = z.object({ id: z.string().min(1).max(64) })
export type NotificationReference = z.infer<typeof NotificationReference>

/** Where an order and its buyer's subscription stand. */
export const OrderStanding = z.object({
  outTradeNo: z.string(),
  status: OrderStatus,
  amountFen: Fen,
  refundedFen: Fen,
  late: z.boolean(),
  parked: z.boolean(),
  remainingDays: z.int(),
  expiresAt: z.date().nullable(),
})
export type OrderStanding = z.infer<typeof OrderStanding>

/** What a replay changes, or what a dry run says that it would change. */
export const ReplayEffect = z.object({
  /** Why the kept bytes cannot be verified any more; nothing happens then. */
  refusal: z.string().nullable(),
  outcome: NotificationOutcome.nullable(),
  before: OrderStanding.nullable(),
  after: OrderStanding.nullable(),
})
export type ReplayEffect = z.infer<typeof ReplayEffect>
