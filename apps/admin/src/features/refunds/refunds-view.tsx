'use client'

import { EXACT_COUNT_LIMIT, formatFen, RefundTab } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import bar from '../../ui/filter-bar.module.css'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyList } from '../lists/empty-list.tsx'
import { ExportButton } from '../lists/export-button.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { useListState } from '../lists/use-list-state.ts'
import { useTabCounts } from '../lists/use-tab-counts.ts'
import { SavedViews } from '../views/saved-views.tsx'
import { useRefundColumns } from './refund-columns.tsx'
import { RefundDates } from './refund-dates.tsx'
import {
  noFilters,
  type RefundListState,
  type RefundParams,
  refundFilterOf,
  refundListQueryOf,
  refundParsers,
} from './refund-params.ts'

function Totals({ params }: { params: RefundParams }) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  const totals = useQuery({
    ...trpc.refund.totals.queryOptions(refundFilterOf(params)),
    placeholderData: keepPreviousData,
  })
  if (totals.isError) return <span>{t('totalsFailed')}</span>
  if (!totals.data) return <Skeleton width={140} />
  const { count, amountFen, more } = totals.data
  return more
    ? t('countMore', { count: EXACT_COUNT_LIMIT })
    : t('totals', { count, amount: formatFen(amountFen) })
}

function StatusTabs({ list: { params, change } }: { list: RefundListState }) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  const { status: _status, ...filter } = refundFilterOf(params)
  const countOf = useTabCounts(trpc.refund.counts.queryOptions(filter))
  const tabs = RefundTab.options.map((tab) => {
    const status = tab === 'all' ? null : tab
    return {
      key: tab,
      label: tab === 'all' ? t('all') : t(`statuses.${tab}`),
      count: countOf(tab),
      href: paths.refunds({ ...params, status, cursor: null }),
      current: params.status === status,
      choose: () => change({ status }),
    }
  })
  return <LinkTabs label={t('statusFilter')} tabs={tabs} />
}

function RefundTable({ list }: { list: RefundListState }) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  return (
    <DataTable
      name="refunds"
      caption={t('caption')}
      columns={useRefundColumns({ sort: list.params.sort, change: list.change })}
      rowKey={({ outRefundNo }) => outRefundNo}
      rowHref={paths.refund}
      empty={<EmptyList t={t} list={list} icon="refund" />}
      {...useListPage(trpc.refund.list.queryOptions(refundListQueryOf(list.params)))}
    />
  )
}

/** Every refund, newest first: what waits, what is on its way, what went wrong. */
export function RefundsView() {
  const t = useTranslations('refunds')
  const list = useListState(refundParsers, noFilters)
  const { params, change } = list
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={<Totals params={params} />}
        actions={<ExportButton name="refunds" query={{ ...refundFilterOf(params), sort: params.sort }} />}
      />
      <SavedViews />
      <Panel>
        <StatusTabs list={list} />
        <search className={bar['bar']}>
          <SearchField
            label={t('searchLabel')}
            placeholder={t('searchPlaceholder')}
            value={params.q}
            search={(q) => change({ q })}
          />
          <RefundDates params={params} change={change} />
        </search>
        <RefundTable list={list} />
      </Panel>
    </>
  )
}
