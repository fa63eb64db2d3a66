'use client'

import type { DashboardOrders, DashboardRange, Funnel } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { paths } from '../../paths.ts'
import styles from './dashboard.module.css'
import { DashboardPanel } from './dashboard-panel.tsx'
import { formatShare, Share, shareOf } from './share.tsx'
import { Change } from './stat.tsx'

type ConversionProps = { funnel: Funnel; before: Funnel; range: DashboardRange }

function Conversion({ funnel, before, range }: ConversionProps) {
  const t = useTranslations('dashboard')
  const steps = ['created', 'prepay', 'paid'] as const
  return (
    <section aria-label={t('conversion')}>
      <h3 className={styles['subtitle']}>{t('conversion')}</h3>
      <ol className={styles['bars']}>
        {steps.map((step) => (
          <li key={step}>
            <Link
              className={styles['row'] ?? ''}
              href={paths.orders({ ...range, ...(step !== 'created' && { reached: step }) })}
            >
              <span>{t(`steps.${step}`)}</span>
              <Share part={funnel[step]} whole={funnel.created} />
              <span className={styles['figureText']}>
                {formatCount(funnel[step])} · {formatShare(funnel[step], funnel.created)}
              </span>
            </Link>
          </li>
        ))}
      </ol>
      <Change now={shareOf(funnel.paid, funnel.created)} before={shareOf(before.paid, before.created)} />
    </section>
  )
}

function Statuses({ byStatus, range }: { byStatus: DashboardOrders['byStatus']; range: DashboardRange }) {
  const t = useTranslations('dashboard')
  const words = useTranslations('orders.statuses')
  const all = byStatus.reduce((sum, { count }) => sum + count, 0)
  return (
    <section aria-label={t('byStatus')}>
      <h3 className={styles['subtitle']}>{t('byStatus')}</h3>
      <ul className={styles['bars']}>
        {byStatus.map(({ status, count }) => (
          <li key={status}>
            <Link className={styles['row'] ?? ''} href={paths.orders({ status, ...range })}>
              <span>{words(status)}</span>
              <Share part={count} whole={all} />
              <span className={styles['figureText']}>{formatCount(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Orders made in the range: how far they came and how they stand. */
export function OrdersPanel({ range }: { range: DashboardRange }) {
  const query = useTRPC().dashboard.orders.queryOptions(range)
  return (
    <DashboardPanel title="orders" query={query} height={240}>
      {({ funnel, funnelBefore, byStatus }) => (
        <div className={styles['halves']}>
          <Conversion funnel={funnel} before={funnelBefore} range={range} />
          <Statuses byStatus={byStatus} range={range} />
        </div>
      )}
    </DashboardPanel>
  )
}
