'use client'

import type { AlertsAbout } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { Notice } from '../../ui/notice.tsx'
import { useAlertKind } from './alert-words.ts'
import styles from './alerts.module.css'

/** Says on the page of an order, a refund or a subscription that an alert about it is open, and leads there. */
export function OpenAlerts({ about }: { about: AlertsAbout }) {
  const t = useTranslations('alerts')
  const trpc = useTRPC()
  const kindOf = useAlertKind()
  const { data } = useQuery(trpc.alert.about.queryOptions(about))
  if (!data || data.items.length === 0) return null
  return (
    <div className={styles['above']}>
      <Notice tone="bad">
        {t('openHere')}{' '}
        {data.items.map(({ id, kind }, index) => (
          <span key={id}>
            {index > 0 && ' · '}
            <Link href={paths.alert({ id })}>{kindOf(kind)}</Link>
          </span>
        ))}
      </Notice>
    </div>
  )
}
