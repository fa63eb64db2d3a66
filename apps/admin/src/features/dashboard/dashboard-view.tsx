'use client'

import type { DashboardRange, DashboardSubscriptions } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useQueryStates } from 'nuqs'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { useDatePresets } from '../../kit/list/use-date-presets.ts'
import { paths } from '../../paths.ts'
import { useToday } from '../../ui/date-time.tsx'
import bar from '../../ui/filter-bar.module.css'
import { PageHeader } from '../../ui/page-header.tsx'
import { ChecklistOnDashboard } from '../checklist/checklist-on-dashboard.tsx'
import { NeedsYou } from '../inbox/needs-you.tsx'
import { ComplianceStrip } from '../plans/compliance.tsx'
import styles from './dashboard.module.css'
import { Change, DashboardPanel, Stat } from './dashboard-panel.tsx'
import { dashboardParsers, dashboardRangeOf } from './dashboard-params.ts'
import { OrdersPanel, UserFunnelPanel } from './funnel-panels.tsx'
import { HealthPanel } from './health-panel.tsx'
import { RevenuePanel } from './revenue-panel.tsx'

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
function SubscriptionsPanel({ range }: { range: DashboardRange }) {
  const query = useTRPC().dashboard.subscriptions.queryOptions(range)
  return (
    <DashboardPanel title="subscriptions" query={query} height={160}>
      {(figures) => <Figures figures={figures} range={range} />}
    </DashboardPanel>
  )
}

const DayRange = dynamic(() => import('../../ui/day-range.tsx').then((module) => module.DayRange), {
  ssr: false,
  loading: () => <span className={bar['dates']} />,
})

/** Where a day begins: what came in, how it goes, and what waits. */
export function DashboardView() {
  const t = useTranslations('dashboard')
  const zone = useTranslations('shell')('zone')
  const [params, setParams] = useQueryStates(dashboardParsers, { history: 'push' })
  const today = useToday()
  const range = dashboardRangeOf(params, today)
  const presets = useDatePresets(['today', 'lastWeek', 'lastMonth', 'lastQuarter'])
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={t('rangeOf', { from: range.from, to: range.to, zone })}
        actions={
          <DayRange
            className={bar['dates'] ?? ''}
            labels={{ range: t('range'), from: t('from'), to: t('to') }}
            from={range.from}
            to={range.to}
            presets={presets}
            onChange={({ from, to }) => void setParams({ from, to })}
          />
        }
      />
      <NeedsYou />
      <ComplianceStrip />
      <ChecklistOnDashboard>
        <div className={styles['panels']}>
          <RevenuePanel range={range} />
          <div className={styles['grouped']}>
            <UserFunnelPanel range={range} />
            <OrdersPanel range={range} />
            <SubscriptionsPanel range={range} />
            <HealthPanel range={range} />
          </div>
        </div>
      </ChecklistOnDashboard>
    </>
  )
}
