'use client'

import type { AlertRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { AlertActs } from './alert-acts.tsx'
import styles from './alerts.module.css'
import { alertQueryOf, type DeskViewParams } from './desk-params.ts'
import { useAlertBulk } from './use-alert-bulk.tsx'
import { useAlertKind } from './use-alert-kind.ts'
import { useResolution } from './use-resolution.ts'

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
  const resolutionOf = useResolution()
  if (alert.resolvedAt === null) return <>{alert.ownerEmail ?? t('nobody')}</>
  return (
    <span className={styles['stack']}>
      {resolutionOf(alert.resolution)}
      <span className={styles['faint']}>{alert.resolvedByEmail}</span>
    </span>
  )
}

function useAlertColumns(open: boolean): Column<AlertRow>[] {
  const t = useTranslations('alerts')
  const kindOf = useAlertKind()
  const acts: Column<AlertRow> = {
    key: 'acts',
    title: t('acts'),
    skeleton: 128,
    card: 'line',
    cell: (alert) => <AlertActs alert={alert} kind={kindOf(alert.kind)} />,
  }
  return [
    {
      key: 'kind',
      title: t('kind'),
      skeleton: 132,
      card: 'head',
      cell: (alert) => (
        <span className={styles['stack']}>
          <strong>{kindOf(alert.kind)}</strong>
          <span className={styles['faint']}>{t('times', { times: alert.times })}</span>
        </span>
      ),
    },
    {
      key: 'subject',
      title: t('subject'),
      skeleton: 132,
      card: 'line',
      cell: (alert) => <Subject alert={alert} />,
    },
    {
      key: 'openedAt',
      title: t('openedAt'),
      skeleton: 96,
      card: 'line',
      cell: ({ openedAt }) => <Moment time={openedAt} relative />,
    },
    {
      key: 'standing',
      title: t(open ? 'owner' : 'resolution'),
      skeleton: 108,
      card: 'line',
      cell: (alert) => <Standing alert={alert} />,
    },
    ...(open ? [acts] : []),
  ]
}

/** What somebody must look at, oldest first; or how it ended. */
export function AlertTable({ params }: { params: DeskViewParams }) {
  const t = useTranslations('alerts')
  const trpc = useTRPC()
  const open = params.view === 'alerts'
  const { bulk, dialog } = useAlertBulk()
  return (
    <>
      {dialog}
      <DataTable
        name={open ? 'alerts' : 'resolved'}
        {...(open && { bulk })}
        caption={t(open ? 'alertsCaption' : 'resolvedCaption')}
        columns={useAlertColumns(open)}
        rowKey={({ id }) => id}
        rowHref={() => null}
        empty={<BlankSlate icon="checkCircle" title={t('alertsEmptyTitle')} hint={t('alertsEmptyHint')} />}
        {...useListPage(trpc.alert.list.queryOptions(alertQueryOf(params)))}
      />
    </>
  )
}
