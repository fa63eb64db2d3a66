import { useTranslations } from 'next-intl'
import styles from './shell.module.css'

/** A globe's meridians: the mark beside the name. */
export function Brand() {
  const t = useTranslations('shell')
  return (
    <span className={styles['brand']}>
      <svg aria-hidden="true" width="28" height="28" viewBox="0 0 28 28" className={styles['mark']}>
        <rect width="28" height="28" rx="8" />
        <path d="M14 5.500v17M14 5.500c-7 4.800-7 12.200 0 17M14 5.500c7 4.800 7 12.200 0 17" />
      </svg>
      <span className={styles['brandName']}>{t('product')}</span>
      <span className={styles['brandKind']}>{t('console')}</span>
    </span>
  )
}
