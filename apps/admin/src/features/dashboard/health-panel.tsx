'use client'

import {
  ConfirmedBy,
  type DashboardHealth,
  type DashboardRange,
  NotificationOutcome,
} from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useMessages, useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { useAlertKind } from '../alerts/use-alert-kind.ts'
import styles from './dashboard.module.css'
import { DashboardPanel } from './dashboard-panel.tsx'
import { Stat } from './stat.tsx'

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

function Figures({ health, range }: { health: DashboardHealth; range: DashboardRange }) {
  const t = useTranslations('dashboard')
  const { order } = useMessages()
  const outcomes: Readonly<Record<string, string>> = order.notificationOutcomes
  const channels: Readonly<Record<string, string>> = order.channels
  const kindOf = useAlertKind()
  const rejected = {
    key: 'rejected',
    label: t('rejected'),
    count: health.rejected,
    bad: false,
    href: paths.notifications({ view: 'rejected', ...range }),
  }
  return (
    <>
      <dl className={styles['stats']}>
        <Stat
          label={t('parked')}
          value={formatCount(health.parkedOrders)}
          href={paths.alerts({ view: 'parked' })}
        />
        <Stat
          label={t('abnormalRefunds')}
          value={formatCount(health.abnormalRefunds)}
          href={paths.refunds({ status: 'abnormal' })}
        />
        <Stat
          label={t('openDifferences')}
          value={formatCount(health.openDifferences)}
          href={paths.reconciliation({ view: 'differences', state: 'open' })}
        />
      </dl>
      <div className={styles['thirds']}>
        <Counts
          title={t('alerts')}
          rows={health.alerts.map(({ kind, count }) => ({
            ...{ key: kind, count, bad: true },
            label: kindOf(kind),
            href: paths.alerts({ view: 'alerts', kind }),
          }))}
        />
        <Counts
          title={t('notifications')}
          rows={[
            ...health.notifications.map(({ outcome, count }) => ({
              ...{ key: outcome, count, bad: !fine.includes(outcome) },
              label: outcomes[outcome] ?? outcome,
              href: paths.notifications({
                outcome: NotificationOutcome.safeParse(outcome).data ?? null,
                ...range,
              }),
            })),
            rejected,
          ]}
        />
        <Counts
          title={t('confirmedBy')}
          rows={health.confirmedBy.map(({ channel, count }) => ({
            ...{ key: channel, count, bad: false },
            label: channels[channel] ?? channel,
            href: paths.orders({
              confirmed_by: ConfirmedBy.safeParse(channel).data ?? null,
              paid_from: range.from,
              paid_to: range.to,
            }),
          }))}
        />
      </div>
    </>
  )
}

/** Whether messages arrive, and what waits for somebody. */
export function HealthPanel({ range }: { range: DashboardRange }) {
  const t = useTranslations('dashboard')
  const trpc = useTRPC()
  const query = useQuery({ ...trpc.dashboard.health.queryOptions(range), placeholderData: keepPreviousData })
  return (
    <DashboardPanel title={t('health')} query={query} height={240}>
      {(health) => <Figures health={health} range={range} />}
    </DashboardPanel>
  )
}
