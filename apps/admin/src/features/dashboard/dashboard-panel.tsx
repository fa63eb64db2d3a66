'use client'

import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useFailure } from '../../api-client/use-failure.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StaleNotice } from '../../ui/stale-notice.tsx'
import styles from './dashboard.module.css'

type Read = { readAt: Date }

type PanelProps<Figures, Fault, Key extends QueryKey> = {
  /** The word of its title. */
  title: 'health' | 'orders' | 'revenue' | 'subscriptions' | 'userFunnel.title'
  query: UseQueryOptions<Figures, Fault, Figures, Key>
  height: number
  children: (figures: NoInfer<Figures>) => ReactNode
}

/** A panel with its own data and its own failure: when one fails, the others stand. */
export function DashboardPanel<Figures extends Read, Fault, Key extends QueryKey>({
  title,
  query: options,
  height,
  children,
}: PanelProps<Figures, Fault, Key>) {
  const t = useTranslations('dashboard')
  const query = useQuery({ ...options, placeholderData: keepPreviousData })
  const failure = useFailure()(query.error)
  const { data } = query
  const stamp = data && (
    <span className={styles['stamp']} data-busy={query.isFetching || undefined}>
      {t('asOf')} <DateTime time={data.readAt} exact />
    </span>
  )
  return (
    <Panel title={t(title)} aside={stamp}>
      <StaleNotice of={query} />
      {failure && !data ? (
        <FailurePanel failure={failure} onRetry={() => void query.refetch()} />
      ) : data ? (
        children(data)
      ) : (
        <Skeleton height={height} />
      )}
    </Panel>
  )
}
