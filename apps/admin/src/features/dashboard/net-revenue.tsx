import { type DashboardRange, type DashboardRevenue, daysOfPreset, formatFen } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { useToday } from '../../ui/date-time.tsx'
import { Link } from '../../ui/link.tsx'
import styles from './dashboard.module.css'
import { Change } from './dashboard-panel.tsx'

type NetRevenueProps = { revenue: DashboardRevenue; range: DashboardRange }

/** The one big figure: what stays of the range, how it stands to the period before, and what it is made of. */
function BigFigure({ revenue, range }: NetRevenueProps) {
  const t = useTranslations('dashboard')
  const { now, before } = revenue.range
  return (
    <div className={styles['big']}>
      <dt>{t('periods.range')}</dt>
      <dd>
        <span className={styles['bigValue']}>
          <Link href={paths.orders({ paid_from: range.from, paid_to: range.to })}>
            {formatFen(now.netFen)}
          </Link>
        </span>
        <span className={styles['beside']}>
          <Change now={now.netFen} before={before.netFen} />
          {before.netFen !== 0 && (
            <span className={styles['parts']}>{t('netBefore', { net: formatFen(before.netFen) })}</span>
          )}
        </span>
        <span className={styles['parts']}>
          {t('grossAndRefunds', { gross: formatFen(now.grossFen), refunds: formatFen(-now.refundFen) })}
          {' · '}
          {t('paidOrders', { count: now.orders })}
        </span>
      </dd>
    </div>
  )
}

/** Net revenue of the range as one big figure; today, seven and thirty days small beside it. */
export function NetRevenue({ revenue, range }: NetRevenueProps) {
  const t = useTranslations('dashboard')
  const today = useToday()
  const periods = [
    { key: 'today', sums: revenue.today, days: daysOfPreset('today', today) },
    { key: 'week', sums: revenue.week, days: daysOfPreset('lastWeek', today) },
    { key: 'month', sums: revenue.month, days: daysOfPreset('lastMonth', today) },
  ] as const
  return (
    <dl className={styles['net']}>
      <BigFigure revenue={revenue} range={range} />
      {periods.map(({ key, sums: { now, before }, days }) => (
        <div key={key} className={styles['small']}>
          <dt>{t(`periods.${key}`)}</dt>
          <dd>
            <Link href={paths.orders({ paid_from: days.from, paid_to: days.to })}>
              {formatFen(now.netFen)}
            </Link>
            <Change now={now.netFen} before={before.netFen} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
