'use client'

import type { ParkedRow } from '@meridian/contracts'
import Link from 'next/link'
import { useMessages, useTranslations } from 'next-intl'
import { type AlertParams, parkedQueryOf } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { type TableDefinition, useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import layout from '../../ui/layout.module.css'
import { OrderFlags, OrderStatusBadge } from '../orders/order-status-badge.tsx'
import { useWaiting } from '../shell/use-waiting.ts'
import { DecideOrder } from './decide-order.tsx'

function useParkedColumns(): Column<ParkedRow>[] {
  const column = columnsOf(useTranslations('alerts'))
  const reasons: Readonly<Record<string, string>> = useMessages().order.parkReasons
  const state = ({ status, late }: ParkedRow) => (
    <span className={layout['acts']}>
      <OrderStatusBadge status={status} />
      <OrderFlags late={late} parked={false} />
    </span>
  )
  return [
    column.id('outTradeNo', ({ outTradeNo }) => outTradeNo, {
      key: 'order',
      card: 'head',
      href: paths.order,
    }),
    column.cell('state', state, { card: 'sub', skeleton: 96 }),
    column.money('amount', ({ amountFen }) => amountFen, { card: 'headEnd' }),
    column.text('reason', ({ parkReason }) => reasons[parkReason] ?? parkReason, { skeleton: 112 }),
    column.time('paidAt', ({ paidAt }) => paidAt, { from: 'medium', relative: true }),
    column.cell('acts', (row) => <DecideOrder order={row} />),
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
export const parkedOrders: TableDefinition<AlertParams, ParkedRow> = {
  name: 'parked',
  useCaption: () => useTranslations('alerts')('parkedCaption'),
  useRows: (params) => useListPage(useTRPC().alert.parked.queryOptions(parkedQueryOf(params))),
  rowKey: ({ outTradeNo }) => outTradeNo,
  rowHref: paths.order,
  useColumns: useParkedColumns,
  Empty: NothingParked,
}

/** Those that somebody decided to leave as they are. */
export const leftOrders: TableDefinition<AlertParams, ParkedRow> = {
  ...parkedOrders,
  useCaption: () => useTranslations('alerts')('leftCaption'),
}
