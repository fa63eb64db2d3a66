'use client'

import { type AlertFilter, DeskView, EXACT_COUNT_LIMIT } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type AlertParams, addresses, showsOrders } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useTabCounts } from '../../kit/list/counts.ts'
import { type FrameDefinition, ListFrame } from '../../kit/list/define-list.tsx'
import { ListTable } from '../../kit/list/list-table.tsx'
import { useListState } from '../../kit/list/use-list-state.ts'
import { paths } from '../../paths.ts'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { openAlerts, resolvedAlerts } from './alert-table.tsx'
import { useAlertKind } from './alert-words.ts'
import { leftOrders, parkedOrders } from './parked-table.tsx'

const desk: FrameDefinition<AlertParams, AlertFilter> = {
  address: addresses.alerts,
  useTitle: () => useTranslations('alerts')('title'),
  Actions: () => (
    <PrefetchLink href={paths.alertChannels()}>{useTranslations('alerts')('channels')}</PrefetchLink>
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
    const tabs = DeskView.options.map((view) => ({
      key: view,
      label: t(`views.${view}`),
      count: countOf(view),
      sets: { view, kind: null },
      current: params.view === view,
    }))
    return { label: t('viewFilter'), tabs }
  },
}

const alertTables = { alerts: openAlerts, resolved: resolvedAlerts }
const orderTables = { parked: parkedOrders, left: leftOrders }

/** One desk for what does not go on by itself. */
export function AlertDesk() {
  const list = useListState(addresses.alerts)
  const kindOf = useAlertKind()
  const { view, kind } = list.params
  if (view === 'parked' || view === 'left')
    return (
      <ListFrame frame={desk} list={list}>
        <ListTable key="orders" table={orderTables[view]} list={list} />
      </ListFrame>
    )
  const chip = kind && { key: 'kind', label: kindOf(kind), remove: () => list.change({ kind: null }) }
  return (
    <ListFrame frame={desk} list={list}>
      <FilterChips chips={chip ? [chip] : []} />
      <ListTable key={view} table={alertTables[view]} list={list} />
    </ListFrame>
  )
}
