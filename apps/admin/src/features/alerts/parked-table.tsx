'use client'

import { formatFen, type ParkedRow } from '@meridian/contracts'
import Link from 'next/link'
import { useMessages, useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { OrderFlags, OrderStatusBadge } from '../orders/order-status-badge.tsx'
import { useWaiting } from '../shell/use-waiting.ts'
import styles from './alerts.module.css'
import { DecideOrder } from './decide-order.tsx'
import { type DeskViewParams, parkedQueryOf } from './desk-params.ts'

function useParkedColumns(): Column<ParkedRow>[] {
  const t = useTranslations('alerts')
  const reasons: Readonly<Record<string, string>> = useMessages().order.parkReasons
  return [
    {
      key: 'order',
      title: t('outTradeNo'),
      skeleton: 132,
      card: 'head',
      cell: (row) => <Identifier value={row.outTradeNo} name={t('outTradeNo')} href={paths.order(row)} />,
    },
    {
      key: 'state',
      title: t('state'),
      skeleton: 96,
      card: 'sub',
      cell: ({ status, late }) => (
        <span className={styles['acts']}>
          <OrderStatusBadge status={status} />
          <OrderFlags late={late} parked={false} />
        </span>
      ),
    },
    {
      key: 'amount',
      title: t('amount'),
      align: 'end',
      skeleton: 64,
      card: 'headEnd',
      cell: ({ amountFen }) => formatFen(amountFen),
    },
    {
      key: 'reason',
      title: t('reason'),
      skeleton: 112,
      card: 'line',
      cell: ({ parkReason }) => reasons[parkReason] ?? parkReason,
    },
    {
      key: 'paidAt',
      title: t('paidAt'),
      skeleton: 112,
      from: 'medium',
      card: 'line',
      cell: ({ paidAt }) => (paidAt ? <DateTime time={paidAt} relative /> : <EmptyValue />),
    },
    {
      key: 'acts',
      title: t('acts'),
      skeleton: 64,
      card: 'line',
      cell: (row) => <DecideOrder order={row} />,
    },
  ]
}

/** No order waits; whether alerts do is said in the same place, for this is where the desk opens. */
function NothingParked() {
  const t = useTranslations('alerts')
  const { alerts } = useWaiting()
  if (!alerts)
    return <BlankSlate icon="checkCircle" title={t('parkedEmptyTitle')} hint={t('parkedEmptyHint')} />
  return (
    <BlankSlate
      icon="alert"
      title={t('parkedEmptyTitle')}
      hint={t('alertsOpenHint', { waiting: alerts })}
      action={<Link href={paths.alerts({ view: 'alerts' })}>{t('toAlerts')}</Link>}
    />
  )
}

/** Orders on which nothing happens until somebody decides, oldest first. */
export function ParkedTable({ params }: { params: DeskViewParams }) {
  const t = useTranslations('alerts')
  const trpc = useTRPC()
  return (
    <DataTable
      name="parked"
      caption={t(params.view === 'left' ? 'leftCaption' : 'parkedCaption')}
      columns={useParkedColumns()}
      rowKey={({ outTradeNo }) => outTradeNo}
      rowHref={paths.order}
      empty={<NothingParked />}
      {...useListPage(trpc.alert.parked.queryOptions(parkedQueryOf(params)))}
    />
  )
}
