import {
  NewPlan,
  type PlanDetail,
  PlanEdit,
  PlanEnglish,
  PlanPricing,
  PlanText,
  VirtualProductId,
} from '@meridian/contracts'
import { z } from 'zod'
import { optionalYuan, typedInt, typedYuan, yuanOf } from '../../kit/act/typed.ts'

/** What may be left empty. */
const optionalText = z.string().transform((text) => text.trim() || null)

const typedText = {
  nameEn: optionalText.pipe(PlanEnglish.shape.nameEn),
  descriptionEn: optionalText.pipe(PlanEnglish.shape.descriptionEn),
  badgeEn: optionalText.pipe(PlanEnglish.shape.badgeEn),
  durationDays: typedInt.pipe(PlanText.shape.durationDays),
  badge: optionalText.pipe(PlanText.shape.badge),
  sortOrder: typedInt.pipe(PlanText.shape.sortOrder),
  virtualProductId: optionalText.pipe(VirtualProductId.nullable()),
}
const typedPrice = {
  priceFen: typedYuan.pipe(PlanPricing.shape.priceFen),
  listPriceFen: optionalYuan.pipe(PlanPricing.shape.listPriceFen),
}

/** The contract's shapes, of what is typed: numbers and amounts are text until they are read. */
export const TypedNewPlan = NewPlan.extend({
  ...typedText,
  ...typedPrice,
  code: z.string().trim().pipe(NewPlan.shape.code),
})
export const TypedPlanEdit = PlanEdit.extend(typedText)
export const TypedPricing = PlanPricing.extend(typedPrice)

export const emptyPlan: z.input<typeof TypedNewPlan> = {
  code: '',
  name: '',
  description: '',
  nameEn: '',
  descriptionEn: '',
  durationDays: '30',
  features: [],
  badge: '',
  badgeEn: '',
  virtualProductId: '',
  sortOrder: '0',
  onSale: false,
  priceFen: '',
  listPriceFen: '',
}

/** Which plan, and which state of it was seen. */
export const seenOf = ({ code, updatedAt }: PlanDetail) => ({ code, updatedAt })

export const editOf = (plan: PlanDetail) => ({
  name: plan.name,
  description: plan.description,
  nameEn: plan.nameEn ?? '',
  descriptionEn: plan.descriptionEn ?? '',
  durationDays: String(plan.durationDays),
  features: plan.features,
  badge: plan.badge ?? '',
  badgeEn: plan.badgeEn ?? '',
  virtualProductId: plan.virtualProductId ?? '',
  sortOrder: String(plan.sortOrder),
  onSale: plan.onSale,
})

export const pricingOf = (plan: PlanDetail) => ({
  priceFen: yuanOf(plan.priceFen),
  listPriceFen: plan.listPriceFen === null ? '' : yuanOf(plan.listPriceFen),
})
