import {
  type DashboardRange,
  type DashboardRevenue,
  daysOfPreset,
  formatFen,
  type Money,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { useToday } from '../../ui/date-time.tsx'
import { Link } from '../../ui/link.tsx'
import styles from './dashboard.module.css'
import { Change } from './dashboard-panel.tsx'

type Days = { from: string; to: string }
const paidIn = ({ from, to }: Days) => paths.orders({ paid_from: from, paid_to: to })
const refundedIn = ({ from, to }: Days) => paths.refunds({ succeeded_from: from, succeeded_to: to })

/** What a net is made of. No list adds up to it, since refunds count by their own days: each part leads to its own. */
function Made({ money: { grossFen, refundFen, orders }, days }: { money: Money; days: Days }) {
  const t = useTranslations('dashboard')
  return (
    <>
      <Link href={paidIn(days)}>{t('grossOf', { amount: formatFen(grossFen) })}</Link>
      {' · '}
      <Link href={refundedIn(days)}>{t('refundsOf', { amount: formatFen(-refundFen) })}</Link>
      {' · '}
      <Link href={paidIn(days)}>{t('paidOrders', { count: orders })}</Link>
    </>
  )
}

type NetRevenueProps = { revenue: DashboardRevenue; range: DashboardRange }

/** The one big figure: what stays of the range, how it stands to the period before, and what it is made of. */
function BigFigure({ revenue, range }: NetRevenueProps) {
  const t = useTranslations('dashboard')
  const { now, before } = revenue.range
  return (
    <div className={styles['big']}>
      <dt>{t('periods.range')}</dt>
      <dd>
        <span className={styles['bigValue']}>{formatFen(now.netFen)}</span>
        <span className={styles['beside']}>
          <Change now={now.netFen} before={before.netFen} />
          {before.netFen !== 0 && (
            <span className={styles['parts']}>{t('netBefore', { net: formatFen(before.netFen) })}</span>
          )}
        </span>
        <span className={styles['parts']}>
          <Made money={now} days={range} />
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
            <span className={styles['smallValue']}>{formatFen(now.netFen)}</span>
            <Change now={now.netFen} before={before.netFen} />
            <span className={styles['parts']}>
              <Link href={paidIn(days)}>{t('paidOrders', { count: now.orders })}</Link>
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
