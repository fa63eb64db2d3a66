'use client'

import { differenceKinds, differenceStates, formatFen, type ReconciledDay } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { type ParamsOf, pageOf } from '../../kit/list/address.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { type FrameDefinition, ListFrame } from '../../kit/list/define-list.tsx'
import { ChoiceFilter, FilterBar } from '../../kit/list/filters.tsx'
import { ListTable, type TableDefinition, useListPage } from '../../kit/list/list-table.tsx'
import { type ListState, useListState } from '../../kit/list/use-list-state.ts'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { Link } from '../../ui/link.tsx'
import { EmptyValue } from '../../ui/text.tsx'
import { ChannelFilter } from '../orders/filters/channel-filter.tsx'
import { allDifferences } from './differences.tsx'
import { DayBadges, RunDay } from './reconciled-day.tsx'

function useDayColumns(): Column<ReconciledDay>[] {
  const column = columnsOf(useTranslations('reconciliation'))
  const sum = (key: 'orderFen' | 'ledgerFen' | 'billFen', card: 'headEnd' | 'line') =>
    column.count<ReconciledDay>(
      `sums.${key}`,
      (day) => (day.state === 'open' ? <EmptyValue /> : formatFen(day[key])),
      { key, card, skeleton: 84 },
    )
  return [
    column.cell('date', ({ date }) => <Link href={paths.reconciledDay({ date })}>{date}</Link>, {
      card: 'head',
      skeleton: 84,
    }),
    column.cell('state', (day) => <DayBadges day={day} inRow />, { card: 'sub' }),
    sum('orderFen', 'line'),
    sum('ledgerFen', 'line'),
    sum('billFen', 'headEnd'),
    column.time('matchedAt', ({ matchedAt }) => matchedAt, { card: 'none', from: 'wide' }),
    column.text('closedBy', ({ closedBy }) => closedBy, { card: 'none', from: 'widest', skeleton: 112 }),
  ]
}

/** The daily runs, newest first. */
const days: TableDefinition<Parameters<typeof pageOf>[0], ReconciledDay> = {
  name: 'days',
  useCaption: () => useTranslations('reconciliation')('daysCaption'),
  useRows: (place) => useListPage(useTRPC().reconciliation.days.queryOptions(pageOf(place))),
  rowKey: ({ date }) => date,
  rowHref: paths.reconciledDay,
  useColumns: useDayColumns,
  Empty() {
    const t = useTranslations('reconciliation')
    return <BlankSlate icon="inbox" title={t('noDaysTitle')} hint={t('noDaysHint')} />
  },
}

const address = addresses.reconciliation
type DeskParams = ParamsOf<typeof address>

const useWords = () => useTranslations('reconciliation')

function DifferenceFilters({ list }: { list: ListState<DeskParams> }) {
  const { params, change } = list
  const t = useWords()
  const orders = useTranslations('orders')
  return (
    <FilterBar>
      <ChoiceFilter
        label={t('state')}
        unchosen={t('allStates')}
        value={params.state}
        options={differenceStates.map((value) => ({ value, label: t(`differenceStates.${value}`) }))}
        choose={(state) => change({ state })}
      />
      <ChoiceFilter
        label={t('kind')}
        unchosen={t('allKinds')}
        value={params.kind}
        options={differenceKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        choose={(kind) => change({ kind })}
      />
      <ChannelFilter t={orders} list={list} />
    </FilterBar>
  )
}

const desk: FrameDefinition<DeskParams, unknown> = {
  address,
  useTitle: () => useWords()('title'),
  Actions: RunDay,
  useTabs({ params: { view, state } }) {
    const t = useWords()
    const ofDifferences = { view: 'differences' as const, kind: null, channel: null }
    return {
      label: t('views'),
      tabs: [
        {
          key: 'days',
          label: t('days'),
          sets: { view: 'days', state: null, kind: null, channel: null },
          current: view === 'days',
        },
        {
          key: 'open',
          label: t('openDifferences'),
          sets: { ...ofDifferences, state: 'open' },
          current: view === 'differences' && state === 'open',
        },
        {
          key: 'all',
          label: t('allDifferences'),
          sets: { ...ofDifferences, state: null },
          current: view === 'differences' && state === null,
        },
      ],
    }
  },
}

/** The desk: what was compared day by day, and what waits for somebody. */
export function ReconciliationDesk() {
  const list = useListState(address)
  return (
    <ListFrame frame={{ ...desk, exportAs: list.params.view }} list={list}>
      {list.params.view === 'days' ? (
        <ListTable table={days} list={list} />
      ) : (
        <>
          <DifferenceFilters list={list} />
          <ListTable table={allDifferences} list={list} />
        </>
      )}
    </ListFrame>
  )
}
