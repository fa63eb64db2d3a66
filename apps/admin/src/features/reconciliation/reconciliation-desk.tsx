'use client'

import { differenceKinds, differenceStates } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import type { ParamsOf } from '../../kit/list/address.ts'
import { type FrameDefinition, ListFrame } from '../../kit/list/define-list.tsx'
import { ChoiceFilter, FilterBar } from '../../kit/list/filters.tsx'
import { ListTable } from '../../kit/list/list-table.tsx'
import { type ListState, useListState } from '../../kit/list/use-list-state.ts'
import { RunDay } from './day-acts.tsx'
import { days } from './days.tsx'
import { allDifferences } from './differences.tsx'

const address = addresses.reconciliation
type DeskParams = ParamsOf<typeof address>

const useWords = () => useTranslations('reconciliation')

function DifferenceFilters({ list: { params, change } }: { list: ListState<DeskParams> }) {
  const t = useWords()
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
    </FilterBar>
  )
}

const desk: FrameDefinition<DeskParams, unknown> = {
  address,
  useTitle: () => useWords()('title'),
  Actions: RunDay,
  useTabs({ params: { view, state } }) {
    const t = useWords()
    const ofDifferences = { view: 'differences' as const, kind: null }
    return {
      label: t('views'),
      tabs: [
        {
          key: 'days',
          label: t('days'),
          sets: { view: 'days', state: null, kind: null },
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
    <ListFrame frame={desk} list={list}>
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
