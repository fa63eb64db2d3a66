import { useTranslations } from 'next-intl'
import { PlainTable } from '../../ui/plain-table.tsx'
import styles from './program-bounds.module.css'
import { useBoundParts } from './use-bound-parts.ts'

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
