import { boundsOfNumber, diagnosisFieldNames, ProgramBounds } from '@meridian/contracts'
import { useLocale, useTranslations } from 'next-intl'
import { formatList } from '../../format.ts'
import type { Part } from '../../ui/description-list.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import styles from './program-bounds.module.css'

/** The bounds of programs, each by its name and as a person reads it; null for what is none. */
export function useBoundParts(): (value: unknown) => Part[] | null {
  const t = useTranslations('programBounds')
  const language = useLocale()
  const fields = diagnosisFieldNames[language === 'en' ? 'en' : 'zh']
  const list = (key: string, items: readonly string[]) => ({ key, items, text: formatList(items, language) })
  return (value) => {
    const bounds = ProgramBounds.safeParse(value).data
    if (!bounds) return null
    const { monophasic, frequency_times_pulse_width: product, default_percent_of_max: percent } = bounds
    const contraindications = bounds.contraindications.map((words) => words.join(' / '))
    return [
      ...(['frequency_hz', 'pulse_width_us', 'duration_minutes'] as const).map((key) => ({
        key,
        name: fields[key],
        text: t('between', boundsOfNumber(key, bounds)),
      })),
      {
        key: 'product',
        name: t('product'),
        text: t('productAtMost', { most: product, percent: product / 10_000 }),
      },
      {
        key: 'monophasic',
        name: t('monophasic'),
        text: t('monophasicAtMost', { hz: monophasic.frequency_hz, us: monophasic.pulse_width_us }),
      },
      { key: 'share', name: fields.intensity_default, text: t('share', { percent }) },
      { name: fields.contraindications, ...list('contraindications', contraindications) },
      { name: t('refused'), ...list('refused', bounds.refused_body_parts) },
    ].map((part) => ({ ...part, text: part.text || t('none') }))
  }
}

/** The bounds of programs as a person reads them; nothing where the value is of another shape. */
export function ProgramBoundsTable({ value }: { value: unknown }) {
  const t = useTranslations('programBounds')
  const parts = useBoundParts()(value)
  if (!parts) return null
  return (
    <div className={styles['bounds']}>
      <PlainTable
        caption={t('caption')}
        rows={parts}
        rowKey={({ key }) => key}
        empty={t('none')}
        columns={[
          { key: 'name', title: t('bound'), cell: ({ name }) => name },
          { key: 'value', title: t('allowed'), cell: ({ text }) => text },
        ]}
      />
      <p>{t('placeholders')}</p>
    </div>
  )
}
