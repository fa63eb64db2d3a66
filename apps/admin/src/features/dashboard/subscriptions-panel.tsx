'use client'

import type { DashboardRange, DashboardSubscriptions } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { paths } from '../../paths.ts'
import styles from './dashboard.module.css'
import { DashboardPanel } from './dashboard-panel.tsx'
import { Change, Stat } from './stat.tsx'

type FiguresProps = { figures: DashboardSubscriptions; range: DashboardRange }

function Figures({ figures, range }: FiguresProps) {
  const t = useTranslations('dashboard')
  const { active, fresh, freshBefore, ended, endedBefore, endingIn7Days, endingIn30Days } = figures
  const moved = [
    { key: 'fresh', now: fresh, before: freshBefore, filter: { fresh_from: range.from, fresh_to: range.to } },
    { key: 'ended', now: ended, before: endedBefore, filter: { state: 'expired', ...range } },
  ] as const
  const ending = [
    { days: 7, count: endingIn7Days },
    { days: 30, count: endingIn30Days },
  ]
  return (
    <dl className={styles['stats']}>
      <Stat label={t('active')} value={formatCount(active)} href={paths.subscriptions({ state: 'active' })} />
      {moved.map(({ key, now, before, filter }) => (
        <Stat key={key} label={t(key)} value={formatCount(now)} href={paths.subscriptions(filter)}>
          <Change now={now} before={before} />
        </Stat>
      ))}
      {ending.map(({ days, count }) => (
        <Stat
          key={days}
          label={t('endingWithin', { days })}
          value={formatCount(count)}
          href={paths.subscriptions({ state: 'active', days_left: days })}
        />
      ))}
    </dl>
  )
}

/** Who has days, who came, who went, whose days end soon. */
export function SubscriptionsPanel({ range }: { range: DashboardRange }) {
  const query = useTRPC().dashboard.subscriptions.queryOptions(range)
  return (
    <DashboardPanel title="subscriptions" query={query} height={160}>
      {(figures) => <Figures figures={figures} range={range} />}
    </DashboardPanel>
  )
}
