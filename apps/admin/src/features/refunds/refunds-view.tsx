'use client'

import { EXACT_COUNT_LIMIT, formatFen } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslations } from 'next-intl'
import { useQueryStates } from 'nuqs'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import bar from '../../ui/filter-bar.module.css'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useCursor } from '../../ui/use-cursor.ts'
import { ExportButton } from '../lists/export-button.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { useRefundColumns } from './refund-columns.tsx'
import { RefundDates } from './refund-dates.tsx'
import {
  noRefundFilters,
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

type List = { params: RefundParams; change: (changes: Partial<RefundParams>) => void }

function StatusTabs({ params, change }: List) {
  const t = useTranslations('refunds')
  const statuses = [null, 'requested', 'processing', 'abnormal', 'succeeded', 'rejected'] as const
  const tabs = statuses.map((status) => ({
    key: status ?? 'all',
    label: status === null ? t('all') : t(`statuses.${status}`),
    href: paths.refunds({ ...params, status, cursor: null }),
    current: params.status === status,
    choose: () => change({ status }),
  }))
  return <LinkTabs label={t('statusFilter')} tabs={tabs} />
}

function RefundTable({ params, change }: List) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const page = useQuery({
    ...trpc.refund.list.queryOptions(refundListQueryOf(params)),
    placeholderData: keepPreviousData,
  })
  const filtered = params.status ?? params.from ?? params.to ?? params.q ?? params.cursor
  const empty =
    filtered === null ? (
      <BlankSlate icon="refund" title={t('emptyTitle')} hint={t('emptyHint')} />
    ) : (
      <BlankSlate
        icon="search"
        title={t('noMatchTitle')}
        hint={t('noMatchHint')}
        action={<Button onClick={() => change(noRefundFilters)}>{t('clear')}</Button>}
      />
    )
  return (
    <DataTable
      caption={t('caption')}
      columns={useRefundColumns({ sort: params.sort, change })}
      rows={page.data?.items}
      rowKey={({ outRefundNo }) => outRefundNo}
      rowHref={paths.refund}
      busy={page.isFetching && (page.isPending || page.isPlaceholderData)}
      failure={failureOf(page.error)}
      onRetry={() => void page.refetch()}
      empty={empty}
      turns={useCursor(page.data)}
    />
  )
}

/** Every refund, newest first: what waits, what is on its way, what went wrong. */
export function RefundsView() {
  const t = useTranslations('refunds')
  const [params, setParams] = useQueryStates(refundParsers, { history: 'push' })
  const change = (changes: Partial<RefundParams>) => void setParams({ cursor: null, ...changes })
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={<Totals params={params} />}
        actions={<ExportButton name="refunds" query={{ ...refundFilterOf(params), sort: params.sort }} />}
      />
      <SavedViews />
      <Panel>
        <StatusTabs params={params} change={change} />
        <search className={bar['bar']}>
          <SearchField
            label={t('searchLabel')}
            placeholder={t('searchPlaceholder')}
            value={params.q}
            search={(q) => change({ q })}
          />
          <RefundDates params={params} change={change} />
        </search>
        <RefundTable params={params} change={change} />
      </Panel>
    </>
  )
}
