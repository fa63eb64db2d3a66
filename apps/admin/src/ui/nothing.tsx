'use client'

import { useTranslations } from 'next-intl'
import styles from './nothing.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

/** Where a value would be, but there is none. */
export function Nothing() {
  const t = useTranslations('ui')
  return (
    <span className={styles['nothing']}>
      <span aria-hidden="true">—</span>
      <VisuallyHidden>{t('none')}</VisuallyHidden>
    </span>
  )
}
