'use client'

import { useTranslations } from 'next-intl'
import { formatClock } from '../format.ts'
import { Button } from './button.tsx'
import styles from './notice.module.css'
import { Notice } from './notice.tsx'

/** What a read that may fail says of itself. */
type Read = {
  data: unknown
  isError: boolean
  isFetching: boolean
  dataUpdatedAt: number
  refetch: () => unknown
}

/** Says that what stands below could not be refreshed, and since when; nothing while it is fresh, or was never read. */
export function StaleNotice({ of: { data, isError, isFetching, dataUpdatedAt, refetch } }: { of: Read }) {
  const t = useTranslations('ui')
  if (!isError || data === undefined) return null
  return (
    <div className={styles['stale']}>
      <Notice tone="wait" role="status">
        {t('stale', { time: formatClock(new Date(dataUpdatedAt)) })}{' '}
        <Button size="small" loading={isFetching} onClick={() => void refetch()}>
          {t('retry')}
        </Button>
      </Notice>
    </div>
  )
}
