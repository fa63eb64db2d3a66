'use client'

import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useFailure } from '../../api-client/api-provider.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StaleNotice } from '../../ui/stale-notice.tsx'
import styles from './dashboard.module.css'

const percentage = { style: 'percent', maximumFractionDigits: 1 } as const
const percent = new Intl.NumberFormat('en-US', percentage)
const signedPercent = new Intl.NumberFormat('en-US', { ...percentage, signDisplay: 'always' })

export const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
export const formatShare = (part: number, whole: number) => percent.format(shareOf(part, whole))

/** A bar as long as its share, with the number in words beside it. */
export function Share({ part, whole }: { part: number; whole: number }) {
  return (
    <span className={styles['share']} aria-hidden="true">
      <span style={{ inlineSize: `${shareOf(part, whole) * 100}%` }} />
    </span>
  )
}

/** `isCost`: what is paid out, of which more is no gain. */
type ChangeProps = { now: number; before: number; isCost?: boolean }

/** How a figure stands to the one before; nothing where there was none. */
export function Change({ now, before, isCost = false }: ChangeProps) {
  const t = useTranslations('dashboard')
  if (before === 0) return <span className={styles['change']}>{t('noComparison')}</span>
  const change = (now - before) / Math.abs(before)
  const gain = isCost ? -change : change
  return (
    <span className={styles['change']} data-way={gain > 0 ? 'up' : gain < 0 ? 'down' : undefined}>
      {t('compared', { change: signedPercent.format(change) })}
    </span>
  )
}

/** One number with its name; where it comes from is a press away. */
export function Stat({
  label,
  value,
  href,
  children,
}: {
  label: string
  value: string
  href?: string
  children?: ReactNode
}) {
  return (
    <div className={styles['stat']}>
      <dt>{label}</dt>
      <dd>
        <span className={styles['value']}>{href ? <Link href={href}>{value}</Link> : value}</span>
        {children}
      </dd>
    </div>
  )
}

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
