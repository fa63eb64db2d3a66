import { knownFeatures } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { FormField } from '../../kit/act/act-form.ts'
import { CheckList } from '../../ui/native-choices.tsx'
import { useFeatureName } from '../subscriptions/subscription-words.tsx'
import styles from './plans.module.css'

type PlanLine =
  | 'code'
  | 'name'
  | 'description'
  | 'nameEn'
  | 'descriptionEn'
  | 'durationDays'
  | 'badge'
  | 'badgeEn'
  | 'sortOrder'
  | 'virtualProductId'
  | 'priceFen'
  | 'listPriceFen'

const pair = (name: string, fields: readonly FormField[]): FormField => ({
  kind: 'row',
  name,
  className: styles['pair'] ?? '',
  fields,
})

const inYuan = { prefix: '¥', inputMode: 'decimal' } as const

/** A line of a plan, with what is expected and what is wrong. */
function useLine(): (name: PlanLine) => FormField {
  const t = useTranslations('plans.form')
  return (name) => ({
    kind: 'line',
    name,
    label: t(`labels.${name}`),
    hint: t(`hints.${name}`),
    fault: t(`faults.${name}`),
    maxLength: name === 'description' || name === 'descriptionEn' ? 500 : 64,
    ...(name === 'virtualProductId' && { spellCheck: false }),
    ...((name === 'priceFen' || name === 'listPriceFen') && inYuan),
  })
}

/** What a plan costs. */
export function usePriceFields(): FormField {
  const line = useLine()
  return pair('price', [line('priceFen'), line('listPriceFen')])
}

/** The code, which only a new plan has to be given. */
export const useCodeField = (): FormField => useLine()('code')

/** What may be edited at any time; `belowDuration` is what is asked about the duration, right below it. */
export function usePlanFields(
  chosen: readonly string[],
): (belowDuration?: readonly FormField[]) => FormField[] {
  const t = useTranslations('plans.form')
  const line = useLine()
  const featureName = useFeatureName()
  const features = [...new Set<string>([...knownFeatures, ...chosen])]
  const options = features.map((value) => ({ value, label: featureName(value) }))
  return (belowDuration = []) => [
    pair('names', [line('name'), line('nameEn')]),
    line('description'),
    line('descriptionEn'),
    pair('durationAndOrder', [line('durationDays'), line('sortOrder')]),
    ...belowDuration,
    pair('badges', [line('badge'), line('badgeEn')]),
    { kind: 'checks', name: 'features', label: t('labels.features'), options },
    line('virtualProductId'),
    {
      kind: 'own',
      name: 'onSale',
      draw: ({ value, change }) => (
        <CheckList
          label={t('labels.onSale')}
          options={[{ value: 'onSale', label: t('onSaleNow') }]}
          chosen={value === true ? ['onSale'] : []}
          choose={(sold) => change(sold.length > 0)}
        />
      ),
    },
  ]
}
