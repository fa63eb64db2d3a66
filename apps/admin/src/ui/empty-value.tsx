'use client'

import { useTranslations } from 'next-intl'
import styles from './text.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

/** Where a value would be, but there is none. */
export function EmptyValue() {
  const t = useTranslations('ui')
  return (
    <span className={styles['empty']}>
      <span aria-hidden="true">—</span>
      <VisuallyHidden>{t('none')}</VisuallyHidden>
    </span>
  )
}
