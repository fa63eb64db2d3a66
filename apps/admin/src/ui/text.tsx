import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from './text.module.css'

/** For those who listen rather than look. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles['hidden']}>{children}</span>
}

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

type RawProps = { children: ReactNode; className?: string | undefined; block?: boolean }

/** What is shown as somebody else wrote it: a code of the platform, an id, a payload. Everything else is said in words. */
export function Raw({ children, className, block = false }: RawProps) {
  const As = block ? 'pre' : 'code'
  return (
    <As className={className} data-raw="" translate="no">
      {children}
    </As>
  )
}
