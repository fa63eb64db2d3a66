import { z } from 'zod'
import { FeatureList } from '../feature.ts'
import { Fen } from '../money.ts'
import { PlanCode } from '../rest/subscription.ts'
import { lineOf } from '../text.ts'
import { WaitingApproval } from './approval.ts'

export const MAX_PRICE_FEN = 100_000_000
export const MAX_DURATION_DAYS = 3660

const Price = Fen.min(1).max(MAX_PRICE_FEN)

/** The item of virtual payment that a plan is sold as (virtual payment §3.6); without one it is not sold there. */
export const VirtualProductId = z.string().regex(/^[A-Za-z0-9_-]{1,20}$/)

/** The platform shows it to the payer as the order's description, and takes no character beyond the first plane. */
const PlanName = lineOf(60)
  .min(1)
  .regex(/^[^\p{Cs}\u{10000}-\u{10ffff}]*$/u)

const PlanDescription = z.string().trim().max(500)

/** A word or two beside a plan's name, such as “popular”. */
const PlanBadge = z.string().trim().min(1).max(20)

/** Name, description and badge of a plan in English; null where there is only the Chinese one. */
export const PlanEnglish = z.object({
  nameEn: PlanName.nullable(),
  descriptionEn: PlanDescription.min(1).nullable(),
  badgeEn: PlanBadge.nullable(),
})

/** What may be edited at any time: orders keep what was agreed. */
export const PlanText = z.object({
  name: PlanName,
  description: PlanDescription,
  durationDays: z.int().min(1).max(MAX_DURATION_DAYS),
  features: FeatureList,
  badge: PlanBadge.nullable(),
  sortOrder: z.int().min(-1000).max(1000),
  onSale: z.boolean(),
})
export type PlanText = z.infer<typeof PlanText>

export const PlanPrice = z.object({
  priceFen: Price,
  /** Struck through beside the price. */
  listPriceFen: Price.nullable(),
})
export type PlanPrice = z.infer<typeof PlanPrice>

export const PlanDetail = z.object({
  code: z.string(),
  ...PlanText.shape,
  // Shown as it stands, whatever was allowed when it was written.
  name: z.string(),
  nameEn: z.string().nullable(),
  descriptionEn: z.string().nullable(),
  badgeEn: z.string().nullable(),
  ...PlanPrice.shape,
  virtualProductId: z.string().nullable(),
  createdAt: z.date(),
  /** Also tells two editors apart. */
  updatedAt: z.date(),
})
export type PlanDetail = z.infer<typeof PlanDetail>

export const PriceChange = z.object({
  id: z.string(),
  fromFen: Fen,
  toFen: Fen,
  /** Null where the duration was not written down yet. */
  fromDays: z.int().nullable(),
  toDays: z.int().nullable(),
  operatorEmail: z.string().nullable(),
  changedAt: z.date(),
})
export type PriceChange = z.infer<typeof PriceChange>

export const PlanSheet = z.object({
  plan: PlanDetail,
  priceChanges: z.array(PriceChange),
  /** A change of it that waits for a second person. */
  waiting: WaitingApproval.nullable(),
})
export type PlanSheet = z.infer<typeof PlanSheet>

/** A new plan, or its request where it needs a second person. */
export const PlanCreation = PlanSheet.extend({ plan: PlanDetail.nullable() })
export type PlanCreation = z.infer<typeof PlanCreation>

/** How the platform knows a plan's item; `priceFen` where its last upload tells it (virtual payment §3.6). */
export const PlanItem = z.object({
  code: z.string(),
  productId: z.string(),
  state: z.enum(['published', 'publishing', 'uploaded', 'failed', 'not_listed']),
  priceFen: Fen.nullable(),
})
export type PlanItem = z.infer<typeof PlanItem>

export const PlanReference = z.object({ code: z.string().max(64) })
export const NewPlan = z.object({
  code: PlanCode,
  ...PlanText.shape,
  ...PlanPrice.shape,
  nameEn: PlanEnglish.shape.nameEn.default(null),
  descriptionEn: PlanEnglish.shape.descriptionEn.default(null),
  badgeEn: PlanEnglish.shape.badgeEn.default(null),
  virtualProductId: VirtualProductId.nullable().default(null),
})
export type NewPlan = z.infer<typeof NewPlan>

/** The plan as the editor saw it: somebody else's change since then is not overwritten. */
const PlanSeen = PlanReference.extend({ updatedAt: z.date() })
/** Without a word about the item or the English it stays as it is. */
export const PlanEdit = PlanSeen.extend(PlanText.shape).extend(PlanEnglish.partial().shape).extend({
  virtualProductId: VirtualProductId.nullable().optional(),
})
export type PlanEdit = z.infer<typeof PlanEdit>
export const PlanPricing = PlanSeen.extend(PlanPrice.shape)
export type PlanPricing = z.infer<typeof PlanPricing>
