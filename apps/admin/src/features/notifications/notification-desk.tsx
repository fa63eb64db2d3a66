'use client'

import type { NotificationRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { byAge, columnsOf, sortBy } from '../../kit/list/columns.tsx'
import { useCountWords } from '../../kit/list/counts.ts'
import { defineList, ListFrame, ListRows, tabsOf } from '../../kit/list/define-list.tsx'
import { DaysFilter, FilterBar, SearchFilter } from '../../kit/list/filters.tsx'
import { EmptyList, useListPage } from '../../kit/list/list-table.tsx'
import { useListState } from '../../kit/list/use-list-state.ts'
import { paths } from '../../paths.ts'
import { OrderLink } from '../related/row-links.tsx'
import { OutcomeBadge, useNotificationType } from './notification-words.tsx'
import { RejectedTable } from './rejected-table.tsx'

const useWords = () => useTranslations('notifications')

const outcomes = ['applied', 'mismatch', 'order_unknown', 'second_transaction', 'unreadable'] as const
const presets = ['lastWeek', 'lastMonth'] as const

const inbox = defineList(addresses.notifications)<NotificationRow>({
  name: 'notifications',
  useWords,
  exportAs: 'notifications',
  useSum(filter) {
    const t = useWords()
    return useCountWords(t, useTRPC().notification.count.queryOptions(filter), t('countFailed'))
  },
  useRows: (query) => useListPage(useTRPC().notification.list.queryOptions(query)),
  rowKey: ({ id }) => id,
  rowHref: paths.notification,
  useRowActs: () => (notification) =>
    notification.outTradeNo && <OrderLink outTradeNo={notification.outTradeNo} />,
  useTabs({ params: { view } }) {
    const t = useWords()
    const words = useTranslations('order.notificationOutcomes')
    const received = tabsOf(outcomes, (outcome) => ({
      label: outcome === null ? t('all') : words(outcome),
      sets: { view: 'inbox' as const, outcome },
    }))
    const rejected = {
      key: 'rejected',
      label: t('rejected'),
      sets: { ...addresses.notifications.noFilters, view: 'rejected' as const },
      current: view === 'rejected',
    }
    return { label: t('outcomeFilter'), tabs: [...received, rejected] }
  },
  Filters({ list }) {
    const t = useWords()
    return (
      <FilterBar>
        <SearchFilter t={t} list={list} />
        <DaysFilter t={t} label={t('dates')} list={list} presets={presets} />
      </FilterBar>
    )
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} />,
  useColumns(list) {
    const column = columnsOf(useWords())
    const typeOf = useNotificationType()
    return [
      column.id('id', ({ id }) => id, { card: 'head', href: paths.notification }),
      column.cell('outcome', ({ outcome }) => <OutcomeBadge outcome={outcome} />, { card: 'sub' }),
      column.text('eventType', ({ eventType }) => typeOf(eventType), {
        key: 'type',
        skeleton: 112,
        from: 'medium',
        card: 'subEnd',
      }),
      column.id('outTradeNo', ({ outTradeNo }) => outTradeNo, {
        key: 'order',
        href: ({ outTradeNo }) => paths.order({ outTradeNo: outTradeNo ?? '' }),
      }),
      column.count('deliveries', ({ deliveries }) => deliveries, { from: 'wide' }),
      column.time('firstAt', ({ firstAt }) => firstAt, { exact: true, sort: sortBy(list, byAge) }),
    ]
  },
})

const { useSum: _useSum, ...uncounted } = inbox

/** The sample as it is listed: days narrow only what is counted. */
const rejected = { ...uncounted, exportAs: 'rejected', exportQuery: () => ({}) } as const

/** What the platform told us and what became of it; and what came and did not verify. */
export function NotificationDesk() {
  const t = useWords()
  const list = useListState(addresses.notifications)
  if (list.params.view === 'inbox')
    return (
      <ListFrame frame={inbox} list={list}>
        <ListRows definition={inbox} list={list} />
      </ListFrame>
    )
  return (
    <ListFrame frame={rejected} list={list}>
      <FilterBar>
        <DaysFilter t={t} label={t('dates')} list={list} presets={presets} />
      </FilterBar>
      <RejectedTable params={list.params} />
    </ListFrame>
  )
}
