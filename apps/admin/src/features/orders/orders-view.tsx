'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ExportButton } from '../lists/export-button.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { OrderChips } from './filters/order-chips.tsx'
import { OrderFilters } from './filters/order-filters.tsx'
import { useOrderColumns } from './order-columns.tsx'
import { hasFilters, orderFilterOf, orderListQueryOf } from './order-list-params.ts'
import { OrderTotalsLine } from './order-totals-line.tsx'
import { StatusTabs } from './status-tabs.tsx'
import { type OrderListState, useOrderList } from './use-order-list.ts'

function Empty({ list }: { list: OrderListState }) {
  const t = useTranslations('orders')
  return hasFilters(list.params) || list.params.cursor !== null ? (
    <BlankSlate
      icon="search"
      title={t('noMatchTitle')}
      hint={t('noMatchHint')}
      action={<Button onClick={list.clear}>{t('clear')}</Button>}
    />
  ) : (
    <BlankSlate icon="inbox" title={t('emptyTitle')} hint={t('emptyHint')} />
  )
}

function OrderTable({ list }: { list: OrderListState }) {
  const t = useTranslations('orders')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const page = useQuery({
    ...trpc.order.list.queryOptions(orderListQueryOf(list.params)),
    placeholderData: keepPreviousData,
  })
  const { previousCursor, nextCursor } = page.data ?? { previousCursor: null, nextCursor: null }
  const { turnTo } = list
  const turns = useMemo(
    () => ({
      previous: previousCursor === null ? null : () => turnTo(previousCursor),
      next: nextCursor === null ? null : () => turnTo(nextCursor),
    }),
    [previousCursor, nextCursor, turnTo],
  )
  return (
    <DataTable
      caption={t('caption')}
      columns={useOrderColumns(list)}
      rows={page.data?.items}
      rowKey={(order) => order.outTradeNo}
      rowHref={paths.order}
      busy={page.isFetching && (page.isPending || page.isPlaceholderData)}
      failure={failureOf(page.error)}
      onRetry={() => void page.refetch()}
      empty={<Empty list={list} />}
      turns={turns}
    />
  )
}

/** The list of orders: what may be asked of it, what it adds up to, and its rows. */
export function OrdersView() {
  const t = useTranslations('orders')
  const list = useOrderList()
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
