import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import styles from './data-table.module.css'

type BulkBarProps = { count: number; clear: () => void; children: ReactNode }

/** What may be done with the chosen rows, at hand while any are chosen. */
export function BulkBar({ count, clear, children }: BulkBarProps) {
  const t = useTranslations('ui')
  if (count === 0) return null
  return (
    <section className={styles['bulk']} aria-label={t('bulkActs')}>
      <strong>{t('selected', { count })}</strong>
      <div className={styles['bulkActs']}>{children}</div>
      <Button look="text" icon={<Icon name="close" />} onClick={clear}>
        {t('clearSelection')}
      </Button>
    </section>
  )
}
