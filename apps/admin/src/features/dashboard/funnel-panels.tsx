'use client'

import type {
  DashboardOrders,
  DashboardRange,
  DashboardUserFunnel,
  Funnel,
  UserFunnel,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import styles from './dashboard.module.css'
import { Change, DashboardPanel, formatShare, Share, shareOf } from './dashboard-panel.tsx'

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

type Step = keyof UserFunnel

const steps: readonly Step[] = ['scanned', 'treated', 'ordered', 'paid', 'active']

/** Where the records lie that a step was counted from; reports are not for every role. */
function useRecords(range: DashboardRange): Partial<Record<Step, string>> {
  const readsReports = useForbidden('report.read') === null
  return {
    ...(readsReports && {
      scanned: paths.reports({ kind: 'scan', ...range }),
      treated: paths.reports({ kind: 'treatment', ...range }),
    }),
    ordered: paths.orders(range),
    paid: paths.orders({ reached: 'paid', ...range }),
  }
}

function Row({ href, children }: { href: string | undefined; children: ReactNode }) {
  const className = styles['row'] ?? ''
  if (href === undefined) return <div className={className}>{children}</div>
  return (
    <Link className={className} href={href}>
      {children}
    </Link>
  )
}

type StepsProps = Pick<DashboardUserFunnel, 'funnel' | 'funnelBefore'> & { range: DashboardRange }

function Steps({ funnel, funnelBefore, range }: StepsProps) {
  const t = useTranslations('dashboard.userFunnel')
  const records = useRecords(range)
  return (
    <ol className={styles['funnel']}>
      {steps.map((step) => (
        <li key={step} data-aside={step === 'treated' || undefined}>
          <Row href={records[step]}>
            <span>{t(`steps.${step}`)}</span>
            <Share part={funnel[step]} whole={funnel.scanned} />
            <span className={styles['figureText']}>
              {formatCount(funnel[step])} · {formatShare(funnel[step], funnel.scanned)}
            </span>
            {step === 'active' ? (
              <span className={styles['change']}>{t('asOfNow')}</span>
            ) : (
              <Change now={funnel[step]} before={funnelBefore[step]} />
            )}
          </Row>
        </li>
      ))}
    </ol>
  )
}

/** How many of the users who scanned went on to order, to pay, and have days now. */
export function UserFunnelPanel({ range }: { range: DashboardRange }) {
  const t = useTranslations('dashboard.userFunnel')
  const query = useTRPC().dashboard.userFunnel.queryOptions(range, {
    // Adds up what hundreds of thousands did: not each time that somebody comes back to the window.
    staleTime: 60_000,
  })
  return (
    <DashboardPanel title="userFunnel.title" query={query} height={200}>
      {({ funnel, funnelBefore }) => (
        <>
          <Steps funnel={funnel} funnelBefore={funnelBefore} range={range} />
          <details className={layout['details']}>
            <summary>{t('how')}</summary>
            <p className={styles['note']}>{t('counted')}</p>
            <p className={styles['note']}>{t('compared')}</p>
          </details>
        </>
      )}
    </DashboardPanel>
  )
}
