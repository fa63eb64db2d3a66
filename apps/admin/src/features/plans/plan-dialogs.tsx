'use client'

import { formatFen, isBeyondStep, type PlanDetail, type PlanPrice } from '@meridian/contracts'
import { useLocale, useTranslations } from 'next-intl'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { ChangeTable } from '../../ui/change-table.tsx'
import { useCodeField, usePlanFields, usePriceFields } from './plan-fields.tsx'
import { planNameIn } from './plan-name.ts'
import styles from './plans.module.css'
import {
  editOf,
  emptyPlan,
  pricingOf,
  seenOf,
  TypedNewPlan,
  TypedPlanEdit,
  TypedPricing,
} from './typed-plan.ts'

export function CreatePlan({ onClose }: { onClose: () => void }) {
  const t = useTranslations('plans')
  const language = useLocale()
  const said = useTranslations('approvals')
  const fieldsOf = usePlanFields([])
  const fields = [useCodeField(), ...fieldsOf(), usePriceFields()]
  const create = useAct({
    call: (api) => api.plan.create.mutate,
    invalidates: ['plan'],
    done: ({ plan }) => (plan ? t('created', { name: planNameIn(plan, language) }) : said('nowWaiting')),
  })
  const look = (name: string) => ({ submitLabel: t('createNamed', { name: name.trim() }) })
  return (
    <FormDialog
      title={t('create')}
      lead={`${t('createLead')} ${t('farHint')}`}
      {...look('')}
      schema={TypedNewPlan}
      start={emptyPlan}
      fields={fields}
      vary={({ name }) => look(name)}
      act={create}
      onClose={onClose}
    />
  )
}

type PlanDialogProps = { plan: PlanDetail; onClose: () => void }

/** The new duration once more, where the same price for it makes a day far dearer or cheaper: 365 that becomes 36. */
function useTypedDays(plan: PlanDetail) {
  const t = useTranslations('plans')
  const fieldsOf = usePlanFields(plan.features)
  return (typed: { durationDays: string; typedDays: string }) => {
    const days = TypedPlanEdit.shape.durationDays.safeParse(typed.durationDays).data ?? plan.durationDays
    const hint = t('typeDays', { days: String(days) })
    if (!isBeyondStep(plan, { ...plan, durationDays: days })) return { fields: fieldsOf(), obstacle: null }
    const once = { kind: 'line', name: 'typedDays', label: t('typedDays'), hint, maxLength: 9 } as const
    return {
      fields: fieldsOf([{ ...once, inputMode: 'numeric' }]),
      obstacle: typed.typedDays.trim() === String(days) ? null : hint,
    }
  }
}

export function EditPlan({ plan, onClose }: PlanDialogProps) {
  const t = useTranslations('plans')
  const language = useLocale()
  const name = planNameIn(plan, language)
  const said = useTranslations('approvals')
  const start = { ...editOf(plan), typedDays: '' }
  const look = useTypedDays(plan)
  const edit = useAct({
    call: (api) => api.plan.edit.mutate,
    invalidates: ['plan'],
    refreshesOnFailure: ['plan'],
    done: (sheet) =>
      sheet.waiting ? said('nowWaiting') : t('edited', { name: planNameIn(sheet.plan, language) }),
  })
  return (
    <FormDialog
      title={t('editNamed', { name })}
      lead={t('editLead')}
      submitLabel={t('save', { name })}
      {...look(start)}
      schema={TypedPlanEdit}
      start={start}
      beside={seenOf(plan)}
      vary={look}
      act={edit}
      onClose={onClose}
    />
  )
}

const shown = (fen: number | null): string | null => (fen === null ? null : formatFen(fen))

function Preview({ plan, price }: { plan: PlanDetail; price: PlanPrice }) {
  const t = useTranslations('plans.form')
  const changes = (['priceFen', 'listPriceFen'] as const)
    .filter((key) => plan[key] !== price[key])
    .map((key) => ({
      key,
      name: t(`labels.${key}`),
      before: shown(plan[key]),
      after: shown(price[key]),
    }))
  return (
    <div className={styles['preview']} aria-live="polite">
      <ChangeTable caption={t('preview')} changes={changes} />
    </div>
  )
}

/** What becomes what; the new price once more, where it lies far from the one that holds. */
function usePriceLook(plan: PlanDetail) {
  const t = useTranslations('plans')
  const prices = usePriceFields()
  return (typed: { priceFen: string; listPriceFen: string; typed: string }) => {
    const price = TypedPricing.pick({ priceFen: true, listPriceFen: true }).safeParse(typed).data
    const amount = price ? formatFen(price.priceFen) : ''
    const submitLabel = t('changePriceTo', { amount })
    if (!price) return { submitLabel, fields: [prices], obstacle: null }
    if (price.priceFen === plan.priceFen && price.listPriceFen === plan.listPriceFen)
      return { submitLabel, fields: [prices], obstacle: t('samePrice') }
    const preview = { kind: 'shown', name: 'preview', shown: <Preview plan={plan} price={price} /> } as const
    if (!isBeyondStep(plan, { ...plan, ...price }))
      return { submitLabel, fields: [prices, preview], obstacle: null }
    const again = TypedPricing.shape.priceFen.safeParse(typed.typed).data
    const hint = t('typePrice', { amount })
    const once = { kind: 'line', name: 'typed', label: t('typedPrice'), hint, maxLength: 64 } as const
    const typedPrice = { ...once, prefix: '¥', inputMode: 'decimal' } as const
    return {
      submitLabel,
      fields: [prices, preview, typedPrice],
      obstacle: again === price.priceFen ? null : hint,
    }
  }
}

/** Changes what a plan costs, showing first what becomes what. */
export function PriceDialog({ plan, onClose }: PlanDialogProps) {
  const t = useTranslations('plans')
  const name = planNameIn(plan, useLocale())
  const said = useTranslations('approvals')
  const start = { ...pricingOf(plan), typed: '' }
  const look = usePriceLook(plan)
  const change = useAct({
    call: (api) => api.plan.changePrice.mutate,
    invalidates: ['plan'],
    refreshesOnFailure: ['plan'],
    done: ({ waiting, plan: { priceFen } }) =>
      waiting ? said('nowWaiting') : t('priced', { name, amount: formatFen(priceFen) }),
  })
  return (
    <FormDialog
      title={t('priceNamed', { name })}
      lead={t('farHint')}
      {...look(start)}
      schema={TypedPricing}
      start={start}
      beside={seenOf(plan)}
      incomplete={t('priceNeeded')}
      vary={look}
      act={change}
      onClose={onClose}
    />
  )
}
