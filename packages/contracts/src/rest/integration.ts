import { z } from 'zod'
import { OrderStatus, PaymentChannel } from '../order-status.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { isStorableText } from '../storable.ts'
import { lineOf } from '../text.ts'
import { IdempotencyKey, Order, Subscription } from './subscription.ts'

/** Days that one key may give one user in a calendar month of Asia/Shanghai (SPEC §17). */
export const API_GRANT_DAYS_PER_MONTH = 31

const Openid = z.string().min(1).max(128).refine(isStorableText)

/** Whom another system asks about: exactly one of the three. */
export const EntitlementQuery = z
  .object({
    user_id: z.uuid().optional(),
    openid: Openid.optional(),
    /** In any case. */
    serial_number: z.string().min(1).max(64).refine(isStorableText).toUpperCase().optional(),
  })
  .refine((asked) => Object.values(asked).filter((value) => value !== undefined).length === 1, {
    params: {
      zh: '必须且只能提供 user_id、openid、serial_number 之一',
      en: 'give exactly one of user_id, openid and serial_number',
    },
  })
export type EntitlementQuery = z.infer<typeof EntitlementQuery>

export const EntitlementReason = z.enum(['active_until', 'ended', 'never_had_days', 'disabled', 'taken_back'])
export type EntitlementReason = z.infer<typeof EntitlementReason>

/** What a user may use now. */
export const Entitlement = z.object({
  user_id: z.uuid(),
  is_active: z.boolean(),
  status: Subscription.shape.status,
  remaining_days: z.int().nonnegative(),
  expires_at: z.iso.datetime().nullable(),
  features: z.array(z.string()),
  reason: EntitlementReason,
  server_time: z.iso.datetime(),
})
export type Entitlement = z.infer<typeof Entitlement>

/** An order as other systems of the company read it. */
export const IntegrationOrder = Order.extend({
  user_id: z.uuid(),
  /** The platform's number of the payment; null until it is paid, where Apple took the money, and where an import named none. */
  transaction_id: z.string().nullable(),
})
export type IntegrationOrder = z.infer<typeof IntegrationOrder>

export const IntegrationOrderQuery = PageQuery.extend({
  /** Made at or after. */
  from: z.iso.datetime({ offset: true }).optional(),
  /** Made before. */
  to: z.iso.datetime({ offset: true }).optional(),
  status: OrderStatus.optional(),
  channel: PaymentChannel.optional(),
})
export type IntegrationOrderQuery = z.infer<typeof IntegrationOrderQuery>

export const IntegrationOrderPage = pageOf(IntegrationOrder)
export const IntegrationOrderAnswer = z.object({ order: IntegrationOrder })

/** Days that another system gives a user. */
export const GrantOrder = z
  .object({
    user_id: z.uuid().optional(),
    openid: Openid.optional(),
    days: z.int().min(1).max(API_GRANT_DAYS_PER_MONTH),
    reason: lineOf(200).min(1).refine(isStorableText),
    idempotency_key: IdempotencyKey,
  })
  .refine(({ user_id, openid }) => (user_id === undefined) !== (openid === undefined), {
    params: { zh: '必须且只能提供 user_id、openid 之一', en: 'give exactly one of user_id and openid' },
  })
export type GrantOrder = z.infer<typeof GrantOrder>

/** What a grant did, the same on a repeat. */
export const GrantAnswer = z.object({
  grant: z.object({
    user_id: z.uuid(),
    /** The number of the entry in the user's ledger. */
    seq: z.int(),
    days: z.int(),
    reason: z.string(),
    expires_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
  }),
})
export type GrantAnswer = z.infer<typeof GrantAnswer>
