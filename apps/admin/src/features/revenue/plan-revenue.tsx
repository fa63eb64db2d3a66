import {
  addFinance,
  daysOfMonth,
  formatFen,
  type Month,
  netFenOf,
  type PlanRevenue,
} from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { Link } from '../../ui/link.tsx'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from '../finance/finance.module.css'
import { useSoldName } from '../plans/plan-name.ts'

function usePlanColumns(month: Month): Column<PlanRevenue>[] {
  const t = useTranslations('finance')
  const channels = useTranslations('orders.channels')
  const soldName = useSoldName()
  const column = columnsOf(t)
  const { from, to } = daysOfMonth(month)
  const paid = ({ planCode, channel, orders }: PlanRevenue) => (
    <Link href={paths.orders({ plan: planCode, channel, paid_from: from, paid_to: to })}>
      {formatCount(orders)}
    </Link>
  )
  const net = (row: PlanRevenue) => formatFen(netFenOf({ ...row, feeFen: 0 }))
  return [
    column.text('plans.plan', ({ planName }) => soldName(planName)),
    column.text('plans.channel', ({ channel }) => channels(channel)),
    column.count('figures.orders', paid),
    column.count('plans.firsts', ({ firsts }) => formatCount(firsts)),
    column.count('plans.renewals', ({ renewals }) => formatCount(renewals)),
    column.count('figures.gross', ({ grossFen }) => formatFen(grossFen)),
    column.count('figures.refunded', ({ refundFen }) => formatFen(-refundFen)),
    column.count('figures.net', net),
  ]
}

function Plans({ month, rows }: { month: Month; rows: readonly PlanRevenue[] }) {
  const t = useTranslations('finance')
  const columns = usePlanColumns(month)
  const sums = addFinance(rows.map((row) => ({ ...row, feeFen: 0 })))
  return (
    <RecordsPanel
      title={t('plans.title')}
      aside={<span className={styles['rule']}>{t('plans.sum', { net: formatFen(netFenOf(sums)) })}</span>}
      rows={rows}
      rowKey={({ planCode, channel }) => `${planCode} ${channel}`}
      empty={t('plans.none')}
      columns={columns}
    />
  )
}

/** What each plan brought in the month by each channel, and how much of it was bought again. */
export function PlanRevenuePanel({ month }: { month: Month }) {
  const query = useQuery(useTRPC().finance.planRevenue.queryOptions({ month }))
  return (
    <Loaded query={query} skeleton={<Skeleton height={160} />}>
      {({ rows }) => <Plans month={month} rows={rows} />}
    </Loaded>
  )
}
