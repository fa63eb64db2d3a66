'use client'

import { type AlertFilter, deskViews, EXACT_COUNT_LIMIT, type ParkedRow } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMessages, useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { type AlertParams, parkedQueryOf, showsOrders } from '../../desk-addresses.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { useTabCounts } from '../../kit/list/counts.ts'
import { type FrameDefinition, ListFrame } from '../../kit/list/define-list.tsx'
import { ListTable, type TableDefinition, useListPage } from '../../kit/list/list-table.tsx'
import { useListState } from '../../kit/list/use-list-state.ts'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { FilterChips } from '../../ui/filter-chips.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { OrderFlags, OrderStatusBadge } from '../orders/order-status-badge.tsx'
import { useCustomerPlace } from '../related/use-customer-place.ts'
import { useHydratedWaiting } from '../shell/use-waiting.ts'
import { DecideOrder } from './alert-acts.tsx'
import { openAlerts, resolvedAlerts } from './alert-table.tsx'
import { useAlertKind } from './open-alerts.tsx'

function useParkedColumns(): Column<ParkedRow>[] {
  const column = columnsOf(useTranslations('alerts'))
  const customerPlace = useCustomerPlace()
  const reasons: Readonly<Record<string, string>> = useMessages().order.parkReasons
  const state = ({ status, late }: ParkedRow) => (
    <span className={layout['acts']}>
      <OrderStatusBadge status={status} />
      <OrderFlags late={late} parked={false} signs />
    </span>
  )
  return [
    column.id('outTradeNo', ({ outTradeNo }) => outTradeNo, {
      key: 'order',
      card: 'head',
      href: paths.order,
    }),
    column.cell('state', state, { card: 'sub', skeleton: 96 }),
    column.person('user', ({ customer }) => customer, { ...customerPlace, from: 'wide' }),
    column.money('amount', ({ amountFen }) => amountFen, { card: 'headEnd' }),
    column.text('reason', ({ parkReason }) => reasons[parkReason] ?? parkReason, { skeleton: 112 }),
    column.time('paidAt', ({ paidAt }) => paidAt, { from: 'medium', relative: true }),
    column.cell('acts', (row) => <DecideOrder order={row} quiet />),
  ]
}

/** No order waits; whether alerts do is said in the same place, since the desk opens here. */
function NothingParked() {
  const t = useTranslations('alerts')
  const { alerts } = useHydratedWaiting()
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
const parkedOrders: TableDefinition<AlertParams, ParkedRow> = {
  name: 'parked',
  useCaption: () => useTranslations('alerts')('parkedCaption'),
  useRows: (params) => useListPage(useTRPC().alert.parked.queryOptions(parkedQueryOf(params))),
  rowKey: ({ outTradeNo }) => outTradeNo,
  rowHref: paths.order,
  useColumns: useParkedColumns,
  Empty: NothingParked,
}

/** Those that somebody decided to leave as they are. */
const leftOrders: TableDefinition<AlertParams, ParkedRow> = {
  ...parkedOrders,
  useCaption: () => useTranslations('alerts')('leftCaption'),
}

const desk: FrameDefinition<AlertParams, AlertFilter> = {
  address: addresses.alerts,
  useTitle: () => useTranslations('alerts')('title'),
  Actions: () => (
    <Link ahead href={paths.alertChannels()}>
      {useTranslations('alerts')('channels')}
    </Link>
  ),
  /** How many stand in the view that is open. */
  useSum(filter, params) {
    const t = useTranslations('alerts')
    const trpc = useTRPC()
    const orders = showsOrders(params)
    const left = params.view === 'left'
    const parked = useQuery({ ...trpc.alert.countParked.queryOptions({ left }), enabled: orders })
    const alerts = useQuery({ ...trpc.alert.count.queryOptions(filter), enabled: !orders })
    const rows = orders ? parked : alerts
    if (rows.isError) return t('countFailed')
    if (!rows.data) return null
    const { count, more } = rows.data
    return more ? t('countMore', { count: EXACT_COUNT_LIMIT }) : t('count', { count })
  },
  useTabs({ params }) {
    const t = useTranslations('alerts')
    const countOf = useTabCounts(useTRPC().alert.counts.queryOptions())
    const tabs = deskViews.map((view) => ({
      key: view,
      label: t(`views.${view}`),
      count: countOf(view),
      sets: { view, kind: null },
      current: params.view === view,
    }))
    return { label: t('viewFilter'), tabs }
  },
}

/** What a file holds of the orders that are shown. */
const parkedFile = {
  exportAs: 'parked',
  exportQuery: ({ view }: AlertParams) => ({ left: view === 'left' }),
} as const

const alertTables = { alerts: openAlerts, resolved: resolvedAlerts }
const orderTables = { parked: parkedOrders, left: leftOrders }

/** One desk for what does not go on by itself. */
export function AlertDesk() {
  const list = useListState(addresses.alerts)
  const kindOf = useAlertKind()
  const { view, kind } = list.params
  if (view === 'parked' || view === 'left')
    return (
      <ListFrame frame={{ ...desk, ...parkedFile }} list={list}>
        <ListTable key="orders" table={orderTables[view]} list={list} />
      </ListFrame>
    )
  const chip = kind && { key: 'kind', label: kindOf(kind), remove: () => list.change({ kind: null }) }
  return (
    <ListFrame frame={{ ...desk, exportAs: 'alerts' }} list={list}>
      <FilterChips chips={chip ? [chip] : []} />
      <ListTable key={view} table={alertTables[view]} list={list} />
    </ListFrame>
  )
}
