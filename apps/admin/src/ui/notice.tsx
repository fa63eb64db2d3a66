'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Icon, type IconName } from './icon.tsx'
import styles from './notice.module.css'

type NoticeProps = {
  tone: 'bad' | 'wait' | 'info'
  icon?: IconName
  role?: 'alert' | 'status'
  children: ReactNode
}

/** A line that explains the state of what stands below it. */
export function Notice({ tone, icon = 'alert', role, children }: NoticeProps) {
  return (
    <div className={styles['notice']} data-tone={tone} role={role}>
      <Icon name={icon} size={18} />
      <div>{children}</div>
    </div>
  )
}

function subscribe(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Says so while the browser has no network: what is shown may be old, and nothing can be done. */
export function OfflineBanner() {
  const t = useTranslations('ui')
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status">
      {!online && (
        <Notice tone="wait" icon="alert">
          {t('offline')}
        </Notice>
      )}
    </div>
  )
}
