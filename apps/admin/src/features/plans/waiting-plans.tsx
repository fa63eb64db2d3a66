'use client'

import { FeatureList, Fen, formatFen, type PlanDetail, type WaitingApproval } from '@meridian/contracts'
import { useLocale, useTranslations } from 'next-intl'
import { z } from 'zod'
import { formatList } from '../../format.ts'
import { type Change, ChangeTable } from '../../ui/change-table.tsx'
import { type Described, useDecide, WaitingChanges } from '../approvals/waiting-changes.tsx'
import { useFeatureName } from '../subscriptions/use-feature-name.ts'

/** A plan, or as much of it as somebody asked to change. */
const PlanParts = z
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
function usePlanChanges(): (before: PlanParts, after: PlanParts) => Change[] {
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

const Asked = PlanParts.extend({ act: z.string().optional() })

/** Prices and plans that wait for a second person. */
export function WaitingPlans({
  waiting,
  plans,
}: {
  waiting: readonly WaitingApproval[]
  plans: readonly PlanDetail[]
}) {
  const t = useTranslations('plans')
  const said = useTranslations('approvals')
  const changesOf = usePlanChanges()
  const decide = useDecide({ call: (api) => api.plan.decide.mutate, invalidates: ['plan'] })
  const describe = ({ subject, before, after }: WaitingApproval): Described => {
    const { act, ...asked } = Asked.parse(after)
    const plan = plans.find(({ code }) => code === subject)
    const name =
      act === 'create'
        ? t('waitingNew', { plan: asked.name ?? subject })
        : t('waitingPrice', { plan: plan?.name ?? subject })
    const changes = changesOf({ ...plan, ...PlanParts.parse(before) }, asked)
    return { name, changes: <ChangeTable caption={said('changesOf', { name })} changes={changes} /> }
  }
  return <WaitingChanges waiting={waiting} describe={describe} permission="plan.edit" decide={decide} />
}
