'use client'

import { knownFeatures } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CheckList } from '../../ui/check-list.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { useFeatureName } from '../subscriptions/use-feature-name.ts'
import type { PlanField, PlanForm } from './plan-form.ts'
import styles from './plans.module.css'

type TextKey = 'code' | 'name' | 'description' | 'duration' | 'badge' | 'sortOrder' | 'price' | 'listPrice'

type PlanTextFieldProps = {
  form: PlanForm
  change: (changes: Partial<PlanForm>) => void
  /** Its key in the form, and what it is called where it is checked. */
  name: TextKey
  field: PlanField
  /** Set once the form was submitted: from then on mistakes are named. */
  faulty: ReadonlySet<string> | null
}

export function PlanTextField({ form, change, name, field, faulty }: PlanTextFieldProps) {
  const t = useTranslations('plans.form')
  const inYuan = field === 'priceFen' || field === 'listPriceFen'
  return (
    <Field
      label={t(`labels.${field}`)}
      hint={t(`hints.${field}`)}
      fault={faulty?.has(field) ? t(`faults.${field}`) : null}
    >
      {(attributes) => (
        <Input
          {...attributes}
          autoComplete="off"
          maxLength={name === 'description' ? 500 : 64}
          {...(inYuan && { prefix: '¥', inputMode: 'decimal' as const })}
          value={form[name]}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      )}
    </Field>
  )
}

type PlanFieldsProps = Pick<PlanTextFieldProps, 'form' | 'change' | 'faulty'> & {
  /** What is asked about the duration, right below it. */
  belowDuration?: ReactNode
}

/** What may be edited at any time. */
export function PlanFields({ belowDuration, ...props }: PlanFieldsProps) {
  const { form, change } = props
  const t = useTranslations('plans.form')
  const featureName = useFeatureName()
  const features = [...new Set<string>([...knownFeatures, ...form.features])]
  return (
    <>
      <PlanTextField {...props} name="name" field="name" />
      <PlanTextField {...props} name="description" field="description" />
      <div className={styles['pair']}>
        <PlanTextField {...props} name="duration" field="durationDays" />
        <PlanTextField {...props} name="badge" field="badge" />
      </div>
      {belowDuration}
      <CheckList
        label={t('labels.features')}
        options={features.map((value) => ({ value, label: featureName(value) }))}
        chosen={form.features}
        choose={(chosen) => change({ features: chosen })}
      />
      <PlanTextField {...props} name="sortOrder" field="sortOrder" />
      <CheckList
        label={t('labels.onSale')}
        options={[{ value: 'onSale', label: t('onSaleNow') }]}
        chosen={form.onSale ? ['onSale'] : []}
        choose={(chosen) => change({ onSale: chosen.length > 0 })}
      />
    </>
  )
}
