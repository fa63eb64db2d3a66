'use client'

import {
  type DashboardRange,
  type DashboardRevenue,
  daysOfPreset,
  formatFen,
  type RevenueDay,
} from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { useToday } from '../../ui/date-time.tsx'
import { Link } from '../../ui/link.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChannelSplit } from './channel-split.tsx'
import styles from './dashboard.module.css'
import { Change, DashboardPanel, Stat } from './dashboard-panel.tsx'

const CHART_HEIGHT = 260

/** Loaded apart from the page: a chart is heavy. */
const RevenueChart = dynamic(() => import('./revenue-chart.tsx').then((module) => module.RevenueChart), {
  ssr: false,
  loading: () => <Skeleton height={CHART_HEIGHT} />,
})

function Sums({ revenue, range }: { revenue: DashboardRevenue; range: DashboardRange }) {
  const t = useTranslations('dashboard')
  const today = useToday()
  const periods = [
    { key: 'today', sums: revenue.today, days: daysOfPreset('today', today) },
    { key: 'week', sums: revenue.week, days: daysOfPreset('lastWeek', today) },
    { key: 'month', sums: revenue.month, days: daysOfPreset('lastMonth', today) },
    { key: 'range', sums: revenue.range, days: range },
  ] as const
  return (
    <dl className={styles['stats']}>
      {periods.map(({ key, sums: { now, before }, days }) => (
        <Stat
          key={key}
          label={t(`periods.${key}`)}
          value={formatFen(now.netFen)}
          href={paths.orders({ paid_from: days.from, paid_to: days.to })}
        >
          <span className={styles['parts']}>
            {t('grossAndRefunds', { gross: formatFen(now.grossFen), refunds: formatFen(-now.refundFen) })}
          </span>
          <span className={styles['parts']}>{t('paidOrders', { count: now.orders })}</span>
          <Change now={now.netFen} before={before.netFen} />
        </Stat>
      ))}
    </dl>
  )
}

function DayTable({ days }: { days: readonly RevenueDay[] }) {
  const t = useTranslations('dashboard')
  const column = columnsOf(t)
  const paidOn = ({ day, orders }: RevenueDay) => (
    <Link href={paths.orders({ paid_from: day, paid_to: day })}>{orders}</Link>
  )
  const columns: Column<RevenueDay>[] = [
    column.text('day', ({ day }) => day),
    column.money('money.grossFen', ({ grossFen }) => grossFen),
    column.money('money.refundFen', ({ refundFen }) => -refundFen),
    column.money('money.netFen', ({ netFen }) => netFen),
    column.count('orders', paidOn),
  ]
  return (
    <details className={styles['details']}>
      <summary>{t('asTable')}</summary>
      <PlainTable
        caption={t('revenueByDay')}
        rows={days.toReversed()}
        rowKey={({ day }) => day}
        empty={t('noDays')}
        columns={columns}
      />
    </details>
  )
}

/** What came in, what went back, and what stays. */
export function RevenuePanel({ range }: { range: DashboardRange }) {
  const t = useTranslations('dashboard')
  const query = useTRPC().dashboard.revenue.queryOptions(range)
  return (
    <DashboardPanel title="revenue" query={query} height={440}>
      {(revenue) => (
        <>
          <Sums revenue={revenue} range={range} />
          <ChannelSplit money={revenue.range.now} range={range} />
          <figure className={styles['figure']}>
            <figcaption>{t('revenueByDay')}</figcaption>
            <div
              className={styles['chart']}
              role="img"
              aria-label={t('revenueSummary', {
                from: range.from,
                to: range.to,
                net: formatFen(revenue.range.now.netFen),
              })}
            >
              <RevenueChart days={revenue.days} height={CHART_HEIGHT} />
            </div>
          </figure>
          <DayTable days={revenue.days} />
        </>
      )}
    </DashboardPanel>
  )
}
