'use client'

import { type RefundRow, refundTabs } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { byAge, columnsOf, sortBy } from '../../kit/list/columns.tsx'
import { useTabCounts, useTotalWords } from '../../kit/list/counts.ts'
import { defineList, ListPage } from '../../kit/list/define-list.tsx'
import { UsualFilters } from '../../kit/list/filters.tsx'
import { EmptyList, useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { useDaysInWords } from '../../ui/filter-chips.tsx'
import { Link } from '../../ui/link.tsx'
import { ChannelFilter } from '../orders/filters/channel-filter.tsx'
import { OrderLink } from '../related/row-links.tsx'
import { useCustomerPlace } from '../related/use-customer-place.ts'
import { RefundStatusBadge } from './refund-status-badge.tsx'
import { useRequester } from './use-requester.ts'

const useWords = () => useTranslations('refunds')

const refunds = defineList(addresses.refunds)<RefundRow>({
  name: 'refunds',
  useWords,
  exportAs: 'refunds',
  Actions: () => (
    <Link ahead href={paths.inquiries()}>
      {useWords()('inquiries')}
    </Link>
  ),
  useSum(filter) {
    const t = useWords()
    return useTotalWords(t, useTRPC().refund.totals.queryOptions(filter), t('totalsFailed'))
  },
  useRows: (query) => useListPage(useTRPC().refund.list.queryOptions(query)),
  rowKey: ({ outRefundNo }) => outRefundNo,
  rowHref: paths.refund,
  useRowActs: () => (refund) => <OrderLink outTradeNo={refund.outTradeNo} />,
  /** Beside a channel the tabs are not counted: that would have the API read too far. */
  useTabs(_list, { status: _status, channel, ...filter }) {
    const t = useWords()
    const countOf = useTabCounts(useTRPC().refund.counts.queryOptions(filter), channel === undefined)
    const tabs = refundTabs.map((tab) => ({
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
      <UsualFilters t={t} list={list} days={t('dates')} presets={['lastWeek', 'lastMonth']}>
        <ChannelFilter t={t} list={list} />
      </UsualFilters>
    )
  },
  /** What the finance page narrows the list by: when the money went back. */
  useChips({ params: { succeeded_from: from, succeeded_to: to }, change }) {
    const t = useWords()
    const daysInWords = useDaysInWords()
    if ((from ?? to) === null) return []
    return [
      {
        key: 'succeeded',
        label: t('succeededOn', { days: daysInWords({ from, to }) }),
        remove: () => change({ succeeded_from: null, succeeded_to: null }),
      },
    ]
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} icon="refund" />,
  useColumns(list) {
    const t = useWords()
    const column = columnsOf(t)
    const customerPlace = useCustomerPlace()
    return [
      column.id('outRefundNo', ({ outRefundNo }) => outRefundNo, {
        key: 'refund',
        card: 'head',
        href: paths.refund,
      }),
      column.cell(
        'status',
        (refund) => <RefundStatusBadge state={refund.state} contradicted={refund.contradicted} signs />,
        { card: 'sub' },
      ),
      column.money('amount', ({ amountFen }) => -amountFen, { card: 'headEnd' }),
      column.person('user', ({ customer }) => customer, { ...customerPlace, from: 'medium' }),
      column.id('outTradeNo', ({ outTradeNo }) => outTradeNo, {
        key: 'order',
        from: 'medium',
        href: paths.order,
        ahead: true,
      }),
      column.text('reason', ({ reason }) => t(`reasons.${reason}`), { card: 'subEnd', from: 'widest' }),
      column.text('channel', ({ channel }) => t(`channels.${channel}`), { from: 'vast' }),
      column.text('requestedBy', useRequester(), { skeleton: 112, from: 'full' }),
      column.time('createdAt', ({ createdAt }) => createdAt, { sort: sortBy(list, byAge) }),
      column.time('succeededAt', ({ succeededAt }) => succeededAt, { card: 'none', from: 'widest' }),
    ]
  },
})

/** Every refund, newest first: what waits, what is on its way, what went wrong. */
export const RefundList = () => <ListPage definition={refunds} />
