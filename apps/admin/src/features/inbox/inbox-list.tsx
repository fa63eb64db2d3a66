'use client'

import { type InboxFilter as Filter, type InboxItem, inboxKinds, inboxViews } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import type { InboxParams } from '../../desk-addresses.ts'
import { formatCount } from '../../format.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { defineList, ListPage, tabsOf } from '../../kit/list/define-list.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import type { ListState } from '../../kit/list/use-list-state.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import layout from '../../ui/layout.module.css'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { useCustomerPlace } from '../related/use-customer-place.ts'
import { DecideItem, isDecidedHere } from './decide-item.tsx'
import { Amount, Assignee, Since, Urgency, What } from './item-cells.tsx'
import { pathOfItem } from './item-words.ts'
import { LookAfter } from './look-after.tsx'
import { isAssignable } from './use-look-after.ts'

const useWords = () => useTranslations('inbox')

/** What colleagues do is seen without a reload. */
const refetchInterval = 60_000

type Counted<Tab extends string> = readonly { tab: Tab; count: number; more: boolean }[]

/** Of a list of counts, how much lies behind a tab: null while it is counted. */
const countIn =
  <Tab extends string>(counts: Counted<Tab> | undefined) =>
  (wanted: Tab): string | null => {
    const found = counts?.find(({ tab }) => tab === wanted)
    return found ? `${formatCount(found.count)}${found.more ? '+' : ''}` : null
  }

const useCounts = (filter: Filter) =>
  useQuery({
    ...useTRPC().inbox.counts.queryOptions(filter),
    placeholderData: keepPreviousData,
    refetchInterval,
  }).data

/** Of which kind, below the parts of the queue. */
function Kinds({ list: { params, change } }: { list: ListState<InboxParams> }) {
  const t = useWords()
  const { inbox } = addresses
  const countOf = countIn(useCounts(inbox.filterOf(params))?.kinds)
  const tabs = tabsOf<(typeof inboxKinds)[number], InboxParams>(inboxKinds, (kind) => ({
    label: kind ? t(`kinds.${kind}`) : t('allKinds'),
    ...(kind && { count: countOf(kind) }),
    sets: { kind },
  }))
  return (
    <LinkTabs
      label={t('kindFilter')}
      tabs={tabs.map(({ sets, ...tab }) => ({
        ...tab,
        href: inbox.pathWith(params, sets),
        current: inbox.has(params, sets),
        choose: () => change(sets),
      }))}
    />
  )
}

const inbox = defineList(addresses.inbox)<InboxItem>({
  name: 'inbox',
  useWords,
  useRows: (query) => useListPage({ ...useTRPC().inbox.list.queryOptions(query), refetchInterval }),
  rowKey: ({ kind, id }) => `${kind} ${id}`,
  rowHref: pathOfItem,
  useTabs({ params }, filter) {
    const t = useWords()
    const countOf = countIn(useCounts(filter)?.views)
    const tabs = inboxViews.map((view) => ({
      key: view,
      label: t(`views.${view}`),
      count: countOf(view),
      sets: { view },
      current: params.view === view,
    }))
    return { label: t('viewFilter'), tabs }
  },
  Filters: Kinds,
  Empty({ list: { params } }) {
    const t = useWords()
    return <BlankSlate icon="checkCircle" title={t(`empty.${params.view}`)} hint={t('emptyHint')} />
  },
  useColumns() {
    const column = columnsOf(useWords())
    const customerPlace = useCustomerPlace()
    return [
      column.cell('what', (item) => <What item={item} />, { card: 'head', skeleton: 180 }),
      column.person('user', ({ customer }) => customer, { ...customerPlace, from: 'wide' }),
      column.cell('urgency', (item) => <Urgency item={item} />, { card: 'sub' }),
      column.count('amount', (item) => <Amount item={item} />, { card: 'headEnd', skeleton: 64 }),
      column.cell('since', (item) => <Since item={item} />),
      column.cell('assignee', (item) => <Assignee item={item} />, { from: 'medium', skeleton: 108 }),
      column.cell(
        'acts',
        (item) => (
          <span className={layout['acts']}>
            <DecideItem item={item} />
            {isAssignable(item) && <LookAfter item={item} compact={isDecidedHere(item)} />}
          </span>
        ),
        { skeleton: 120 },
      ),
    ]
  },
})

/** Everything that waits for somebody, and what of it for whoever looks. */
export const InboxList = () => <ListPage definition={inbox} />
