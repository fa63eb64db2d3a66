'use client'

import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { Notice } from '../../ui/notice.tsx'
import { useWaiting } from '../shell/use-waiting.ts'
import styles from './dashboard.module.css'

/** What waits for somebody, before every figure; nothing where nothing does. */
export function WaitingStrip() {
  const t = useTranslations('dashboard')
  const { alerts, approvals } = useWaiting()
  if (!alerts && !approvals) return null
  return (
    <div className={styles['waiting']}>
      {alerts && (
        <Notice tone="bad">
          <Link href={paths.alerts({ view: 'alerts' })}>{t('alertsWait', { waiting: alerts })}</Link>
        </Notice>
      )}
      {approvals && (
        <Notice tone="wait" icon="clock">
          <Link href={paths.approvals()}>{t('approvalsWait', { waiting: approvals })}</Link>
        </Notice>
      )}
    </div>
  )
}
