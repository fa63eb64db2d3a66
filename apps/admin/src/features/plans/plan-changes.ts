import { FeatureList, Fen, formatFen } from '@meridian/contracts'
import { useLocale, useTranslations } from 'next-intl'
import { z } from 'zod'
import { formatList } from '../../format.ts'
import type { Change } from '../../ui/change-table.tsx'
import { useFeatureName } from '../subscriptions/use-feature-name.ts'

/** A plan, or as much of it as somebody asked to change. */
export const PlanParts = z
  .object({
    name: z.string(),
    priceFen: Fen,
    listPriceFen: Fen.nullable(),
    durationDays: z.int(),
    description: z.string(),
    features: FeatureList,
    badge: z.string().nullable(),
    sortOrder: z.int(),
    onSale: z.boolean(),
  })
  .partial()
type PlanParts = z.infer<typeof PlanParts>

/** Each part of a plan as a person reads it, under its name. */
function usePlanTexts(): (plan: PlanParts) => { key: string; name: string; text: string | null }[] {
  const t = useTranslations('plans')
  const labels = useTranslations('plans.form.labels')
  const featureName = useFeatureName()
  const language = useLocale()
  const amount = (fen?: number | null) => (typeof fen === 'number' ? formatFen(fen) : null)
  const sold = (onSale?: boolean) => (onSale === undefined ? null : t(onSale ? 'onSale' : 'offSale'))
  return (plan) => {
    const { priceFen, durationDays } = plan
    const known = priceFen !== undefined && durationDays !== undefined
    return [
      { key: 'name', name: t('name'), text: plan.name ?? null },
      { key: 'priceFen', name: t('price'), text: amount(priceFen) },
      { key: 'listPriceFen', name: t('listPrice'), text: amount(plan.listPriceFen) },
      {
        key: 'durationDays',
        name: t('duration'),
        text: durationDays === undefined ? null : t('days', { days: durationDays }),
      },
      {
        key: 'perDay',
        name: t('pricePerDay'),
        text: known ? amount(Math.round(priceFen / durationDays)) : null,
      },
      { key: 'description', name: labels('description'), text: plan.description || null },
      {
        key: 'features',
        name: labels('features'),
        text: formatList((plan.features ?? []).map(featureName), language) || null,
      },
      { key: 'badge', name: labels('badge'), text: plan.badge ?? null },
      { key: 'sortOrder', name: labels('sortOrder'), text: plan.sortOrder?.toString() ?? null },
      { key: 'onSale', name: t('state'), text: sold(plan.onSale) },
    ]
  }
}

/** What becomes of a plan, part by part; what stays is left out. */
export function usePlanChanges(): (before: PlanParts, after: PlanParts) => Change[] {
  const textsOf = usePlanTexts()
  return (before, after) => {
    const was = textsOf(before)
    return textsOf({ ...before, ...after })
      .map(({ key, name, text }) => ({
        key,
        name,
        before: was.find((one) => one.key === key)?.text ?? null,
        after: text,
      }))
      .filter((change) => change.before !== change.after)
  }
}
