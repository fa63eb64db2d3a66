'use client'

import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useQueryStates } from 'nuqs'
import { useDatePresets } from '../../kit/list/use-date-presets.ts'
import { paths } from '../../paths.ts'
import { useToday } from '../../ui/clock.tsx'
import bar from '../../ui/filter-bar.module.css'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useWaiting } from '../shell/use-waiting.ts'
import styles from './dashboard.module.css'
import { dashboardParsers, dashboardRangeOf } from './dashboard-params.ts'
import { HealthPanel } from './health-panel.tsx'
import { OrdersPanel } from './orders-panel.tsx'
import { RevenuePanel } from './revenue-panel.tsx'
import { SubscriptionsPanel } from './subscriptions-panel.tsx'
import { UserFunnelPanel } from './user-funnel-panel.tsx'

/** What waits for somebody, before every figure; nothing where nothing does. */
function WaitingStrip() {
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
      <WaitingStrip />
      <div className={styles['panels']}>
        <RevenuePanel range={range} />
        <UserFunnelPanel range={range} />
        <OrdersPanel range={range} />
        <SubscriptionsPanel range={range} />
        <HealthPanel range={range} />
      </div>
    </>
  )
}
