import { boundsOfNumber, diagnosisFieldNames, ProgramBounds } from '@meridian/contracts'
import { useLocale, useTranslations } from 'next-intl'
import { PlainTable } from '../../ui/plain-table.tsx'
import styles from './settings.module.css'

const numbers = ['frequency_hz', 'pulse_width_us', 'duration_minutes'] as const

/** Each bound of programs in a line. */
function useRows(bounds: ProgramBounds): { name: string; value: string }[] {
  const t = useTranslations('settings.programBounds')
  const names = diagnosisFieldNames[useLocale() === 'en' ? 'en' : 'zh']
  const { monophasic, default_percent_of_max, frequency_times_pulse_width: product } = bounds
  return [
    ...numbers.map((key) => ({ name: names[key], value: t('between', boundsOfNumber(key, bounds)) })),
    { name: t('product'), value: t('productAtMost', { most: product, percent: product / 10_000 }) },
    {
      name: t('monophasic'),
      value: t('monophasicAtMost', { hz: monophasic.frequency_hz, us: monophasic.pulse_width_us }),
    },
    { name: names.intensity_default, value: t('share', { percent: default_percent_of_max }) },
    {
      name: names.contraindications,
      value: bounds.contraindications.map((words) => words.join(' / ')).join(', ') || t('none'),
    },
    { name: t('refused'), value: bounds.refused_body_parts.join(', ') || t('none') },
  ]
}

/** The bounds of programs as a person reads them; nothing where the value is of another shape. */
export function ProgramBoundsTable({ value }: { value: unknown }) {
  const bounds = ProgramBounds.safeParse(value).data
  return bounds ? <BoundsTable bounds={bounds} /> : null
}

function BoundsTable({ bounds }: { bounds: ProgramBounds }) {
  const t = useTranslations('settings.programBounds')
  return (
    <div className={styles['wide']}>
      <PlainTable
        caption={t('caption')}
        rows={useRows(bounds)}
        rowKey={({ name }) => name}
        empty={t('none')}
        columns={[
          { key: 'name', title: t('bound'), cell: ({ name }) => name },
          { key: 'value', title: t('allowed'), cell: (row) => row.value },
        ]}
      />
      <p className={styles['by']}>{t('placeholders')}</p>
    </div>
  )
}
