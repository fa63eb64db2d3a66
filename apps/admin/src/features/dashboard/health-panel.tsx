'use client'

import {
  confirmationSources,
  type DashboardHealth,
  type DashboardRange,
  notificationOutcomes,
} from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Link } from '../../ui/link.tsx'
import { useAlertKind } from '../alerts/open-alerts.tsx'
import styles from './dashboard.module.css'
import { DashboardPanel, Stat } from './dashboard-panel.tsx'

type Counted = { key: string; label: string; count: number; bad: boolean; href: string }

/** Endings that are good: everything else wants a look. */
const fine: readonly string[] = ['applied', 'already_paid', 'ignored']

function Counts({ title, rows }: { title: string; rows: readonly Counted[] }) {
  const t = useTranslations('dashboard')
  return (
    <section aria-label={title}>
      <h3 className={styles['subtitle']}>{title}</h3>
      {rows.length === 0 && <p className={styles['parts']}>{t('none')}</p>}
      <ul className={styles['counts']}>
        {rows.map(({ key, label, count, bad, href }) => (
          <li key={key}>
            <Link className={styles['row'] ?? ''} href={href}>
              <span>{label}</span>
              {bad ? (
                <Badge tone="bad">{formatCount(count)}</Badge>
              ) : (
                <span className={styles['figureText']}>{formatCount(count)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

type FiguresProps = { health: DashboardHealth; range: DashboardRange }

function Waiting({ health }: Pick<FiguresProps, 'health'>) {
  const t = useTranslations('dashboard')
  const figures = [
    { key: 'parked', count: health.parkedOrders, href: paths.alerts({ view: 'parked' }) },
    { key: 'abnormalRefunds', count: health.abnormalRefunds, href: paths.refunds({ status: 'abnormal' }) },
    {
      key: 'openDifferences',
      count: health.openDifferences,
      href: paths.reconciliation({ view: 'differences', state: 'open' }),
    },
  ] as const
  return (
    <dl className={styles['stats']}>
      {figures.map(({ key, count, href }) => (
        <Stat key={key} label={t(key)} value={formatCount(count)} href={href} />
      ))}
    </dl>
  )
}

function Notifications({ health, range }: FiguresProps) {
  const t = useTranslations('dashboard')
  const outcomes: Readonly<Record<string, string>> = useMessages().order.notificationOutcomes
  const received = health.notifications.map(({ outcome, count }) => ({
    ...{ key: outcome, count, bad: !fine.includes(outcome) },
    label: outcomes[outcome] ?? outcome,
    href: paths.notifications({
      outcome: notificationOutcomes.find((one) => one === outcome) ?? null,
      ...range,
    }),
  }))
  const rejected = {
    ...{ key: 'rejected', count: health.rejected, bad: false },
    label: t('rejected'),
    href: paths.notifications({ view: 'rejected', ...range }),
  }
  return <Counts title={t('notifications')} rows={[...received, rejected]} />
}

function Figures({ health, range }: FiguresProps) {
  const t = useTranslations('dashboard')
  const channels: Readonly<Record<string, string>> = useMessages().order.channels
  const kindOf = useAlertKind()
  const alerts = health.alerts.map(({ kind, count }) => ({
    ...{ key: kind, count, bad: true },
    label: kindOf(kind),
    href: paths.alerts({ view: 'alerts', kind }),
  }))
  const paid = { paid_from: range.from, paid_to: range.to }
  const confirmedBy = health.confirmedBy.map(({ channel, count }) => ({
    ...{ key: channel, count, bad: false },
    label: channels[channel] ?? channel,
    href: paths.orders({ confirmed_by: confirmationSources.find((one) => one === channel) ?? null, ...paid }),
  }))
  return (
    <>
      <Waiting health={health} />
      <div className={styles['thirds']}>
        <Counts title={t('alerts')} rows={alerts} />
        <Notifications health={health} range={range} />
        <Counts title={t('confirmedBy')} rows={confirmedBy} />
      </div>
    </>
  )
}

/** Whether messages arrive, and what waits for somebody. */
export function HealthPanel({ range }: { range: DashboardRange }) {
  const query = useTRPC().dashboard.health.queryOptions(range)
  return (
    <DashboardPanel title="health" query={query} height={240}>
      {(health) => <Figures health={health} range={range} />}
    </DashboardPanel>
  )
}
