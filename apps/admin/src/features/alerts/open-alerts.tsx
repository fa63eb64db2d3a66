'use client'

import { type AlertKind, type AlertsAbout, healedByOf } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMessages, useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './alerts.module.css'

/** How an alert ended: what a person wrote, or by which fact it was over, in words. */
export function useResolution(): (resolution: string | null) => string | null {
  const t = useTranslations('alerts')
  return (resolution) => {
    const by = healedByOf(resolution)
    return by ? t('healed', { how: t(`healedBy.${by}`) }) : resolution
  }
}

/** The word for a kind; one that is newer than this console is shown as it is. */
export function useAlertKind(): (kind: string) => string {
  const known: Readonly<Record<AlertKind, string>> = useMessages().alerts.kinds
  const words: Readonly<Record<string, string>> = known
  return (kind) => words[kind] ?? kind
}

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
