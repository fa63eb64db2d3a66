'use client'

import type { AlertRow } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { AlertRowAct } from './alert-acts.tsx'
import styles from './alerts.module.css'
import { alertQueryOf, type DeskViewParams } from './desk-params.ts'
import { type GroupedAlert, groupByOrder } from './group-by-order.ts'
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

function useAlertColumns(open: boolean): Column<GroupedAlert>[] {
  const t = useTranslations('alerts')
  const kindOf = useAlertKind()
  const acts: Column<GroupedAlert> = {
    key: 'acts',
    title: t('acts'),
    skeleton: 128,
    card: 'line',
    cell: (alert) => <AlertRowAct alert={alert} kind={kindOf(alert.kind)} />,
  }
  return [
    {
      key: 'kind',
      title: t('kind'),
      skeleton: 132,
      card: 'head',
      cell: (alert) => (
        <span className={styles['stack']}>
          <Link className={styles['kind']} href={paths.alert(alert)} prefetch={false}>
            {kindOf(alert.kind)}
          </Link>
          <span className={styles['faint']}>{t('times', { times: alert.times })}</span>
        </span>
      ),
    },
    {
      key: 'subject',
      title: t('subject'),
      skeleton: 132,
      card: 'line',
      cell: (alert) => (
        <span className={styles['stack']}>
          <Subject alert={alert} />
          {alert.isSameOrder && <span className={styles['faint']}>{t('sameOrder')}</span>}
        </span>
      ),
    },
    {
      key: 'openedAt',
      title: t('openedAt'),
      skeleton: 96,
      card: 'line',
      cell: ({ openedAt }) => <DateTime time={openedAt} relative />,
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
  const page = useListPage(trpc.alert.list.queryOptions(alertQueryOf(params)))
  const rows = useMemo(() => page.rows && groupByOrder(page.rows), [page.rows])
  return (
    <>
      {dialog}
      <DataTable
        name={open ? 'alerts' : 'resolved'}
        {...(open && { bulk })}
        caption={t(open ? 'alertsCaption' : 'resolvedCaption')}
        columns={useAlertColumns(open)}
        rowKey={({ id }) => id}
        rowHref={paths.alert}
        empty={<BlankSlate icon="checkCircle" title={t('alertsEmptyTitle')} hint={t('alertsEmptyHint')} />}
        {...page}
        rows={rows}
      />
    </>
  )
}
