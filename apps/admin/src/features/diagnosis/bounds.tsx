import type { ProgramBounds } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ProgramBoundsTable } from '../program-bounds/program-bounds-table.tsx'
import styles from './diagnosis.module.css'

/** What every program has to keep to, and who may change it. */
export function Bounds({ bounds }: { bounds: ProgramBounds }) {
  const t = useTranslations('diagnosis')
  const title = useTranslations('programBounds')('title')
  return (
    <details className={styles['bounds']}>
      <summary>
        <strong>{title}</strong>
        <span>{t('boundsLead')}</span>
      </summary>
      <ProgramBoundsTable value={bounds} />
    </details>
  )
}
