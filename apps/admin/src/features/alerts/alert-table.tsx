'use client'

import type { AlertRow } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { PageTurner } from '../../ui/data-table/page-turner.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { AlertActs } from './alert-acts.tsx'
import styles from './alerts.module.css'
import { alertQueryOf, type DeskViewParams } from './desk-params.ts'

/** The word for a kind; one that is newer than this console is shown as it is. */
export function useAlertKind(): (kind: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().alerts.kinds
  return (kind) => words[kind] ?? kind
}

/** What it is about, as a link where the console can show it. */
function Subject({ alert: { subject, outTradeNo, outRefundNo } }: { alert: AlertRow }) {
  const t = useTranslations('alerts')
  if (outRefundNo)
    return <Identifier value={outRefundNo} name={t('subject')} href={paths.refund({ outRefundNo })} />
  if (outTradeNo)
    return <Identifier value={outTradeNo} name={t('subject')} href={paths.order({ outTradeNo })} />
  return <span>{subject}</span>
}

function Standing({ alert }: { alert: AlertRow }) {
  const t = useTranslations('alerts')
  if (alert.resolvedAt === null) return <>{alert.ownerEmail ?? t('nobody')}</>
  return (
    <span className={styles['stack']}>
      {alert.resolution}
      <span className={styles['faint']}>{alert.resolvedByEmail}</span>
    </span>
  )
}

function useAlertColumns(open: boolean) {
  const t = useTranslations('alerts')
  const kindOf = useAlertKind()
  return [
    {
      key: 'kind',
      title: t('kind'),
      cell: (alert: AlertRow) => (
        <span className={styles['stack']}>
          <strong>{kindOf(alert.kind)}</strong>
          <span className={styles['faint']}>{t('times', { times: alert.times })}</span>
        </span>
      ),
    },
    { key: 'subject', title: t('subject'), cell: (alert: AlertRow) => <Subject alert={alert} /> },
    {
      key: 'openedAt',
      title: t('openedAt'),
      cell: ({ openedAt }: AlertRow) => <Moment time={openedAt} relative />,
    },
    {
      key: 'standing',
      title: t(open ? 'owner' : 'resolution'),
      cell: (alert: AlertRow) => <Standing alert={alert} />,
    },
    ...(open
      ? [
          {
            key: 'acts',
            title: t('acts'),
            cell: (alert: AlertRow) => <AlertActs alert={alert} kind={kindOf(alert.kind)} />,
          },
        ]
      : []),
  ]
}

/** What somebody must look at, oldest first; or how it ended. */
export function AlertTable({ params }: { params: DeskViewParams }) {
  const t = useTranslations('alerts')
  const trpc = useTRPC()
  const open = params.view === 'alerts'
  const { rows, busy, failure, onRetry, turns } = useListPage(
    trpc.alert.list.queryOptions(alertQueryOf(params)),
  )
  const columns = useAlertColumns(open)
  if (failure && !rows) return <FailurePanel failure={failure} onRetry={onRetry} />
  if (!rows) return <Skeleton height={240} />
  if (rows.length === 0)
    return <BlankSlate icon="checkCircle" title={t('alertsEmptyTitle')} hint={t('alertsEmptyHint')} />
  return (
    <>
      <div className={styles['body']}>
        <PlainTable
          caption={t(open ? 'alertsCaption' : 'resolvedCaption')}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          empty={t('alertsEmptyTitle')}
        />
      </div>
      <PageTurner turns={turns} busy={busy} />
    </>
  )
}
