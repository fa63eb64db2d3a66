import { z } from 'zod'
import { feedKinds } from '../choices.ts'
import { pageFields } from '../paging.ts'
import { SubjectReference } from './subject.ts'

/** What a customer's feed is narrowed to. */
export const FeedKind = z.enum(feedKinds)
export type FeedKind = z.infer<typeof FeedKind>

export const FeedQuery = z.object({
  id: z.uuid(),
  /** All of them where none is named. */
  kinds: z.array(FeedKind).max(FeedKind.options.length).default([]),
  ...pageFields,
})
export type FeedQuery = z.infer<typeof FeedQuery>

const by = z.string().nullable()

/** What happened, with what it takes to say it in a sentence. */
export const FeedItem = z.discriminatedUnion('kind', [
  /** A line of the timeline of one of their orders; `event` is its kind. */
  z.object({
    kind: z.literal('money'),
    event: z.string(),
    outTradeNo: z.string(),
    planName: z.string(),
    amountFen: z.int(),
    /** By which way it happened, and by whom where that was an operator. */
    channel: z.string(),
    by,
    outRefundNo: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('access'),
    grant: z.enum(['purchase', 'admin_grant', 'refund_revocation', 'trial', 'integration_grant', 'imported']),
    days: z.int(),
    outTradeNo: z.string().nullable(),
    outRefundNo: z.string().nullable(),
    serialNumber: z.string().nullable(),
    reason: z.string().nullable(),
    /** An operator, or the system whose key gave the days. */
    by,
  }),
  z.object({
    kind: z.literal('devices'),
    serialNumber: z.string(),
    /** Why a binding ended; null where one began. */
    ended: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('reports'),
    reportId: z.uuid(),
    report: z.enum(['scan', 'treatment']),
  }),
  z.object({ kind: z.literal('messages'), message: z.string(), failure: z.string().nullable() }),
  z.object({ kind: z.literal('sessions') }),
  z.object({
    kind: z.literal('notes'),
    subject: SubjectReference,
    text: z.string().nullable(),
    isWithdrawn: z.boolean(),
    mentions: z.array(z.string()),
    by,
  }),
  /** `reason` says why, or of a tag which. */
  z.object({ kind: z.literal('account'), action: z.string(), reason: z.string().nullable(), by }),
])
export type FeedItem = z.infer<typeof FeedItem>

export const FeedRow = z.object({
  /** Tells it from everything else in the feed. */
  id: z.string(),
  at: z.date(),
  item: FeedItem,
})
export type FeedRow = z.infer<typeof FeedRow>

/** What a customer paid and got back, over all their orders. */
export const CustomerMoney = z.object({
  paidFen: z.number(),
  refundedFen: z.number(),
  paidOrders: z.int(),
  firstPaidAt: z.date().nullable(),
  lastPaidAt: z.date().nullable(),
})
export type CustomerMoney = z.infer<typeof CustomerMoney>
