'use client'

import { type DashboardRange, type DashboardRevenue, formatFen, type RevenueDay } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChannelSplit } from './channel-split.tsx'
import styles from './dashboard.module.css'
import { DashboardPanel } from './dashboard-panel.tsx'
import { NetRevenue } from './net-revenue.tsx'

const CHART_HEIGHT = 260

/** Loaded apart from the page: a chart is heavy. */
const RevenueChart = dynamic(() => import('./revenue-chart.tsx').then((module) => module.RevenueChart), {
  ssr: false,
  loading: () => <Skeleton height={CHART_HEIGHT} />,
})

type Days = Pick<DashboardRevenue, 'days' | 'daysBefore'>

function DayTable({ days, daysBefore }: Days) {
  const t = useTranslations('dashboard')
  const column = columnsOf(t)
  const paidOn = (day: string, figure: string) => (
    <Link href={paths.orders({ paid_from: day, paid_to: day })}>{figure}</Link>
  )
  const refundedOn = (day: string, figure: string) => (
    <Link href={paths.refunds({ succeeded_from: day, succeeded_to: day })}>{figure}</Link>
  )
  const beforeOf = new Map(days.map(({ day }, at) => [day, daysBefore[at]?.netFen ?? 0]))
  const columns: Column<RevenueDay>[] = [
    column.text('day', ({ day }) => day),
    column.count('money.grossFen', ({ day, grossFen }) => paidOn(day, formatFen(grossFen))),
    column.count('money.refundFen', ({ day, refundFen }) => refundedOn(day, formatFen(-refundFen))),
    column.money('money.netFen', ({ netFen }) => netFen),
    column.money('money.beforeFen', ({ day }) => beforeOf.get(day) ?? 0),
    column.count('orders', ({ day, orders }) => paidOn(day, formatCount(orders))),
  ]
  return (
    <details className={layout['details']}>
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
          <NetRevenue revenue={revenue} range={range} />
          <figure className={styles['figure']}>
            <figcaption>{t('revenueByDay')}</figcaption>
            <div
              className={styles['chart']}
              role="img"
              aria-label={t('revenueSummary', {
                from: range.from,
                to: range.to,
                net: formatFen(revenue.range.now.netFen),
                before: formatFen(revenue.range.before.netFen),
              })}
            >
              <RevenueChart days={revenue.days} daysBefore={revenue.daysBefore} height={CHART_HEIGHT} />
            </div>
          </figure>
          <DayTable days={revenue.days} daysBefore={revenue.daysBefore} />
          <ChannelSplit money={revenue.range.now} range={range} />
        </>
      )}
    </DashboardPanel>
  )
}
