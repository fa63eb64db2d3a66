import { z } from 'zod'
import { subscriptionSorts, subscriptionStates } from '../choices.ts'
import { OrderStatus } from '../order-status.ts'
import { pageFields, period, RowCount, SerialId, searchText } from '../paging.ts'
import { ApprovalObstacle } from './approval.ts'
import { Reason } from './user.ts'

/** Whether days are left. */
export const SubscriptionState = z.enum(subscriptionStates)
export type SubscriptionState = z.infer<typeof SubscriptionState>

/** The filters of the list of subscriptions: of all users who ever had days. */
export const SubscriptionFilter = z.object({
  state: SubscriptionState.optional(),
  /** Ends within so many days from now; of active ones only. */
  daysLeft: z.int().min(1).max(3660).optional(),
  /** Bounds of the end, inclusive and exclusive. */
  ...period,
  /** Bounds of the first day ever, inclusive and exclusive. */
  freshFrom: z.date().optional(),
  freshTo: z.date().optional(),
  /** A user id, whole. */
  search: searchText,
})
export type SubscriptionFilter = z.infer<typeof SubscriptionFilter>

export const SubscriptionListQuery = SubscriptionFilter.extend({
  sort: z.enum(subscriptionSorts).default('soonest'),
  ...pageFields,
})
export type SubscriptionListQuery = z.infer<typeof SubscriptionListQuery>

export const SubscriptionRow = z.object({
  userId: z.uuid(),
  /** Their nickname, masked unless the session reveals names. */
  customer: z.string().nullable(),
  isActive: z.boolean(),
  remainingDays: z.int(),
  expiresAt: z.date().nullable(),
  /** The plan of the last purchase whose days are not over. */
  planName: z.string().nullable(),
  features: z.array(z.string()),
  /** How many entries its ledger has. */
  entries: z.int(),
})
export type SubscriptionRow = z.infer<typeof SubscriptionRow>

/** How many subscriptions the filters leave and how they stand: each number exact up to 10,000. */
export const SubscriptionSums = RowCount.extend({
  active: RowCount,
  /** Of the active ones, those that end within `ENDS_SOON_DAYS`. */
  endingSoon: RowCount,
  expired: RowCount,
  /** The days that are left of all of them; null where there are more than are counted. */
  remainingDays: z.int().nullable(),
})
export type SubscriptionSums = z.infer<typeof SubscriptionSums>

export const LedgerEntry = z.object({
  seq: z.int(),
  kind: z.enum(['purchase', 'admin_grant', 'refund_revocation', 'trial', 'integration_grant', 'imported']),
  days: z.int(),
  /** Of the days it brought, how many still lie ahead. */
  unusedDays: z.int(),
  features: z.array(z.string()),
  effectiveAt: z.date(),
  expiresBefore: z.date().nullable(),
  expiresAfter: z.date(),
  planName: z.string().nullable(),
  outTradeNo: z.string().nullable(),
  outRefundNo: z.string().nullable(),
  serialNumber: z.string().nullable(),
  reason: z.string().nullable(),
  operatorEmail: z.string().nullable(),
  /** The name of the key by which another system gave the days. */
  apiKeyName: z.string().nullable(),
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

/** One sentence of the answer to "why does this user (not) have access?". */
export const AccessReason = z.discriminatedUnion('code', [
  z.object({ code: z.literal('disabled'), at: z.date() }),
  z.object({ code: z.literal('never_had_days') }),
  z.object({ code: z.literal('ended'), at: z.date() }),
  z.object({ code: z.literal('active_until'), at: z.date(), days: z.int() }),
  z.object({
    code: z.literal('days_from_order'),
    outTradeNo: z.string(),
    planName: z.string(),
    days: z.int(),
  }),
  z.object({ code: z.literal('days_from_system'), system: z.string(), reason: z.string(), days: z.int() }),
  z.object({ code: z.literal('days_from_import'), planName: z.string(), days: z.int() }),
  z.object({ code: z.literal('taken_with_import'), days: z.int() }),
  z.object({ code: z.literal('days_from_operator'), reason: z.string(), days: z.int() }),
  z.object({ code: z.literal('days_from_trial'), serialNumber: z.string(), days: z.int() }),
  z.object({ code: z.literal('taken_by_refund'), outTradeNo: z.string(), days: z.int(), at: z.date() }),
  z.object({ code: z.literal('taken_by_operator'), reason: z.string(), days: z.int(), at: z.date() }),
  z.object({
    code: z.enum(['paid_order_parked', 'unpaid_order_parked']),
    outTradeNo: z.string(),
    reason: z.string(),
  }),
  z.object({ code: z.literal('order_unpaid'), outTradeNo: z.string(), status: OrderStatus }),
  z.object({ code: z.literal('order_sent_back'), outTradeNo: z.string() }),
  z.object({ code: z.literal('feature_behind'), feature: z.string(), at: z.date() }),
  z.object({ code: z.literal('days_requested'), days: z.int() }),
])
export type AccessReason = z.infer<typeof AccessReason>

export const FeatureClock = z.object({
  feature: z.string(),
  /** Null for a feature that is free for everybody. */
  expiresAt: z.date().nullable(),
  isUsable: z.boolean(),
})
export type FeatureClock = z.infer<typeof FeatureClock>

export const GrantRequestState = z.enum(['requested', 'approved', 'rejected'])

/** Days that one person may not give alone. */
export const GrantRequest = z.object({
  id: z.string(),
  userId: z.uuid(),
  days: z.int(),
  reason: z.string(),
  state: GrantRequestState,
  requestedBy: z.string(),
  /** Whether the caller asked for it, and so may take it back. */
  isOwn: z.boolean(),
  /** Why the caller may not approve it; null once it is decided. */
  obstacle: ApprovalObstacle.nullable(),
  decidedBy: z.string().nullable(),
  createdAt: z.date(),
  decidedAt: z.date().nullable(),
})
export type GrantRequest = z.infer<typeof GrantRequest>

/** Requests of everybody or of one user, decided or not. */
export const GrantRequestFilter = z.object({
  state: GrantRequestState.optional(),
  userId: z.uuid().optional(),
})
export type GrantRequestFilter = z.infer<typeof GrantRequestFilter>

export const GrantRequestListQuery = GrantRequestFilter.extend(pageFields)
export type GrantRequestListQuery = z.infer<typeof GrantRequestListQuery>

export const GrantRequestRow = GrantRequest.omit({ isOwn: true, obstacle: true })
export type GrantRequestRow = z.infer<typeof GrantRequestRow>

export const SubscriptionDetail = SubscriptionRow.omit({ customer: true }).extend({
  disabledAt: z.date().nullable(),
  userSince: z.date(),
  why: z.array(AccessReason),
  clocks: z.array(FeatureClock),
  ledger: z.array(LedgerEntry),
  requests: z.array(GrantRequest),
})
export type SubscriptionDetail = z.infer<typeof SubscriptionDetail>

export const SubscriptionReference = z.object({ userId: z.uuid() })

/** All entries of one user's ledger. */
export const LedgerQuery = SubscriptionReference.extend(pageFields)
export type LedgerQuery = z.infer<typeof LedgerQuery>

/** Days given (positive) or taken (negative) by hand. */
export const DaysChange = SubscriptionReference.extend({
  days: z
    .int()
    .min(-3660)
    .max(3660)
    .refine((days) => days !== 0),
})
export type DaysChange = z.infer<typeof DaysChange>

/** What one person may give, and take, to and from one user in one calendar month of Asia/Shanghai. */
export const DAYS_ALONE_PER_MONTH = 31

/** What a change would do; made of the same rule as the change itself. */
export const DaysPreview = z.object({
  /** The ledger it was computed from: the change refuses when another entry has come meanwhile. */
  entries: z.int(),
  expiresBefore: z.date().nullable(),
  expiresAfter: z.date(),
  remainingBefore: z.int(),
  remainingAfter: z.int(),
  features: z.array(z.object({ feature: z.string(), expiresAfter: z.date() })),
  /** Given, or taken, this month by hand already, whoever did it. */
  usedThisMonth: z.int(),
  needsSecondPerson: z.boolean(),
  hasOpenRequest: z.boolean(),
})
export type DaysPreview = z.infer<typeof DaysPreview>

export const DaysOrder = DaysChange.extend({
  reason: Reason,
  entries: z.int().min(0),
})
export type DaysOrder = z.infer<typeof DaysOrder>

export const DaysOutcome = z.object({ outcome: z.enum(['granted', 'requested']) })

export const GrantDecision = z.object({
  id: SerialId,
  verdict: z.enum(['approve', 'reject']),
})
export type GrantDecision = z.infer<typeof GrantDecision>
