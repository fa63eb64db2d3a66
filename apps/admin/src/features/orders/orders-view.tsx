'use client'

import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { EmptyList } from '../lists/empty-list.tsx'
import { ExportButton } from '../lists/export-button.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { useListState } from '../lists/use-list-state.ts'
import { SavedViews } from '../views/saved-views.tsx'
import { OrderChips } from './filters/order-chips.tsx'
import { OrderFilters } from './filters/order-filters.tsx'
import { useOrderColumns } from './order-columns.tsx'
import {
  noFilters,
  type OrderListState,
  orderFilterOf,
  orderListParsers,
  orderListQueryOf,
} from './order-list-params.ts'
import { OrderTotalsLine } from './order-totals-line.tsx'
import { StatusTabs } from './status-tabs.tsx'
import { useOrderBulk } from './use-order-bulk.tsx'

function OrderTable({ list }: { list: OrderListState }) {
  const t = useTranslations('orders')
  const trpc = useTRPC()
  const { bulk, dialog } = useOrderBulk()
  return (
    <>
      {dialog}
      <DataTable
        name="orders"
        bulk={bulk}
        caption={t('caption')}
        columns={useOrderColumns(list)}
        rowKey={(order) => order.outTradeNo}
        rowHref={paths.order}
        empty={<EmptyList t={t} list={list} />}
        {...useListPage(trpc.order.list.queryOptions(orderListQueryOf(list.params)))}
      />
    </>
  )
}

/** The list of orders: what may be asked of it, what it adds up to, and its rows. */
export function OrdersView() {
  const t = useTranslations('orders')
  const list = useListState(orderListParsers, noFilters)
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={<OrderTotalsLine params={list.params} />}
        actions={
          <ExportButton name="orders" query={{ ...orderFilterOf(list.params), sort: list.params.sort }} />
        }
      />
      <SavedViews />
      <Panel>
        <StatusTabs list={list} />
        <OrderFilters list={list} />
        <OrderChips list={list} />
        <OrderTable list={list} />
      </Panel>
    </>
  )
}
