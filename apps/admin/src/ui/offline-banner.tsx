'use client'

import { useTranslations } from 'next-intl'
import { useSyncExternalStore } from 'react'
import { Notice } from './notice.tsx'

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
