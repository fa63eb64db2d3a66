'use client'

import { EXACT_COUNT_LIMIT, formatFen, type RefundRow, RefundTab } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { idColumn, sortBy, timeColumn } from '../../kit/list/columns.tsx'
import { useTabCounts } from '../../kit/list/counts.ts'
import { defineList, ListPage } from '../../kit/list/define-list.tsx'
import { EmptyList } from '../../kit/list/empty-list.tsx'
import { DaysFilter, FilterBar, SearchFilter } from '../../kit/list/filters.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { RefundStatusBadge } from './refund-status-badge.tsx'

const useWords = () => useTranslations('refunds')

const refunds = defineList(addresses.refunds)<RefundRow>({
  name: 'refunds',
  useWords,
  exportAs: 'refunds',
  useSum(filter) {
    const t = useWords()
    const query = useTRPC().refund.totals.queryOptions(filter)
    const totals = useQuery({ ...query, placeholderData: keepPreviousData })
    if (totals.isError) return t('totalsFailed')
    if (!totals.data) return null
    const { count, amountFen, more } = totals.data
    if (more) return t('countMore', { count: EXACT_COUNT_LIMIT })
    return t('totals', { count, amount: formatFen(amountFen) })
  },
  useRows: (query) => useListPage(useTRPC().refund.list.queryOptions(query)),
  rowKey: ({ outRefundNo }) => outRefundNo,
  rowHref: paths.refund,
  useTabs(_list, { status: _status, ...filter }) {
    const t = useWords()
    const countOf = useTabCounts(useTRPC().refund.counts.queryOptions(filter))
    const tabs = RefundTab.options.map((tab) => ({
      key: tab,
      label: tab === 'all' ? t('all') : t(`statuses.${tab}`),
      count: countOf(tab),
      sets: { status: tab === 'all' ? null : tab },
    }))
    return { label: t('statusFilter'), tabs }
  },
  Filters({ list }) {
    const t = useWords()
    return (
      <FilterBar>
        <SearchFilter t={t} list={list} />
        <DaysFilter t={t} label={t('dates')} list={list} presets={['lastWeek', 'lastMonth']} />
      </FilterBar>
    )
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} icon="refund" />,
  useColumns(list) {
    const t = useWords()
    return [
      idColumn({
        key: 'refund',
        title: t('outRefundNo'),
        card: 'head',
        id: ({ outRefundNo }) => outRefundNo,
        href: paths.refund,
      }),
      {
        key: 'status',
        title: t('status'),
        skeleton: 72,
        card: 'sub',
        cell: ({ state, contradicted }) => <RefundStatusBadge state={state} contradicted={contradicted} />,
      },
      {
        key: 'amount',
        title: t('amount'),
        align: 'end',
        skeleton: 72,
        card: 'headEnd',
        cell: ({ amountFen }) => formatFen(-amountFen),
      },
      idColumn({
        key: 'order',
        title: t('outTradeNo'),
        from: 'medium',
        card: 'line',
        id: ({ outTradeNo }) => outTradeNo,
        href: paths.order,
        ahead: true,
      }),
      {
        key: 'reason',
        title: t('reason'),
        skeleton: 64,
        from: 'wide',
        card: 'subEnd',
        cell: ({ reason }) => t(`reasons.${reason}`),
      },
      {
        key: 'requestedBy',
        title: t('requestedBy'),
        skeleton: 112,
        from: 'widest',
        card: 'line',
        cell: ({ requestedByEmail }) => requestedByEmail ?? t('byRule'),
      },
      timeColumn({
        key: 'createdAt',
        title: t('createdAt'),
        card: 'line',
        at: ({ createdAt }) => createdAt,
        sort: sortBy(list, { ascending: 'oldest', descending: 'newest' }),
      }),
      timeColumn({
        key: 'succeededAt',
        title: t('succeededAt'),
        from: 'wide',
        card: 'none',
        at: ({ succeededAt }) => succeededAt,
      }),
    ]
  },
})

/** Every refund, newest first: what waits, what is on its way, what went wrong. */
export const RefundList = () => <ListPage definition={refunds} />
