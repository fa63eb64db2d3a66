'use client'

import type { DashboardRange } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { paths } from '../../paths.ts'
import styles from './dashboard.module.css'
import { DashboardPanel } from './dashboard-panel.tsx'
import { Change, Stat } from './stat.tsx'

/** Who has days, who came, who went, whose days end soon. */
export function SubscriptionsPanel({ range }: { range: DashboardRange }) {
  const t = useTranslations('dashboard')
  const trpc = useTRPC()
  const query = useQuery({
    ...trpc.dashboard.subscriptions.queryOptions(range),
    placeholderData: keepPreviousData,
  })
  const ending = (days_left: number) => paths.subscriptions({ state: 'active', days_left })
  return (
    <DashboardPanel title={t('subscriptions')} query={query} height={160}>
      {(figures) => (
        <dl className={styles['stats']}>
          <Stat
            label={t('active')}
            value={formatCount(figures.active)}
            href={paths.subscriptions({ state: 'active' })}
          />
          <Stat
            label={t('fresh')}
            value={formatCount(figures.fresh)}
            href={paths.subscriptions({ fresh_from: range.from, fresh_to: range.to })}
          >
            <Change now={figures.fresh} before={figures.freshBefore} />
          </Stat>
          <Stat
            label={t('ended')}
            value={formatCount(figures.ended)}
            href={paths.subscriptions({ state: 'expired', ...range })}
          >
            <Change now={figures.ended} before={figures.endedBefore} />
          </Stat>
          <Stat
            label={t('endingWithin', { days: 7 })}
            value={formatCount(figures.endingIn7Days)}
            href={ending(7)}
          />
          <Stat
            label={t('endingWithin', { days: 30 })}
            value={formatCount(figures.endingIn30Days)}
            href={ending(30)}
          />
        </dl>
      )}
    </DashboardPanel>
  )
}
