import { z } from 'zod'
import { notificationOutcomes } from '../choices.ts'
import { Fen } from '../money.ts'
import { OrderStatus } from '../order-status.ts'
import { pageFields, period, timedPageFields, twoWayPageOf } from '../paging.ts'
import { Note } from './parking.ts'

/** What became of a verified notification. */
export const NotificationOutcome = z.enum(notificationOutcomes)
export type NotificationOutcome = z.infer<typeof NotificationOutcome>

/** The filters of the inbox; all of them live in the URL of the page. */
export const NotificationFilter = z.object({
  outcome: NotificationOutcome.optional(),
  /** Inclusive and exclusive bounds of the first delivery. */
  ...period,
  /** An id of the platform, of which a message push has long ones, or an `out_trade_no`, whole. */
  search: z.string().trim().min(1).max(128).optional(),
})
export type NotificationFilter = z.infer<typeof NotificationFilter>

export const NotificationListQuery = NotificationFilter.extend(timedPageFields)
export type NotificationListQuery = z.infer<typeof NotificationListQuery>

export const NotificationRow = z.object({
  id: z.string(),
  eventType: z.string(),
  outcome: NotificationOutcome,
  outTradeNo: z.string().nullable(),
  deliveries: z.int(),
  firstAt: z.date(),
  lastAt: z.date(),
})
export type NotificationRow = z.infer<typeof NotificationRow>

/** What became of a notification once: `detail` says what differed, or why it could not be read. */
export const NotificationOutcomeEntry = z.object({
  id: z.string(),
  at: z.date(),
  outcome: NotificationOutcome,
  /** Processed from the inbox by an operator, not delivered. */
  replayed: z.boolean(),
  detail: z.record(z.string(), z.unknown()),
})
export type NotificationOutcomeEntry = z.infer<typeof NotificationOutcomeEntry>

export const NotificationDetail = NotificationRow.extend({
  serial: z.string(),
  headers: z.record(z.string(), z.string()),
  detail: z.record(z.string(), z.unknown()),
  bodyBytes: z.int(),
  /** What was decrypted, with the identifiers of people masked. */
  payload: z.unknown(),
  /** Each time it was processed, newest first: the newest fifty. */
  outcomes: z.array(NotificationOutcomeEntry),
})
export type NotificationDetail = z.infer<typeof NotificationDetail>

export const NotificationReference = z.object({ id: z.string().min(1).max(128) })
export type NotificationReference = z.infer<typeof NotificationReference>

/** The bytes as they came and what was in them, unmasked: shown for a reason that is kept. */
export const PayloadRequest = NotificationReference.extend({ reason: Note })
export type PayloadRequest = z.infer<typeof PayloadRequest>
export const NotificationPayload = z.object({ body: z.string(), payload: z.unknown() })
export type NotificationPayload = z.infer<typeof NotificationPayload>

/** A delivery that did not verify: evidence, and never believed. */
export const RejectedDelivery = z.object({
  id: z.string(),
  reason: z.string(),
  source: z.string(),
  headers: z.record(z.string(), z.string()),
  bodyBytes: z.int(),
  at: z.date(),
})
export type RejectedDelivery = z.infer<typeof RejectedDelivery>

export const RejectedListQuery = z.object({
  reason: z.string().max(64).optional(),
  /** What is counted; without bounds, the last 24 hours. The list itself is a sample of any time. */
  ...period,
  ...pageFields,
})
export type RejectedListQuery = z.infer<typeof RejectedListQuery>

export const RejectedPage = twoWayPageOf(RejectedDelivery).extend({
  /** Everything that was refused between the bounds, by reason; the list above is only a sample of it. */
  counts: z.array(z.object({ reason: z.string(), count: z.int() })),
})
export type RejectedPage = z.infer<typeof RejectedPage>

/** Where an order and its buyer's subscription stand. */
export const OrderSnapshot = z.object({
  outTradeNo: z.string(),
  status: OrderStatus,
  amountFen: Fen,
  refundedFen: Fen,
  late: z.boolean(),
  parked: z.boolean(),
  remainingDays: z.int(),
  expiresAt: z.date().nullable(),
})
export type OrderSnapshot = z.infer<typeof OrderSnapshot>

/** What a replay changes, or what a dry run says that it would change. */
export const ReplayEffect = z.object({
  /** Why the kept bytes cannot be verified any more; nothing happens then. */
  refusal: z.string().nullable(),
  outcome: NotificationOutcome.nullable(),
  before: OrderSnapshot.nullable(),
  after: OrderSnapshot.nullable(),
})
export type ReplayEffect = z.infer<typeof ReplayEffect>
