'use client'

import type { ExportName } from '@meridian/contracts'
import type { ComponentType, ReactNode } from 'react'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { type FilterChip, FilterChips } from '../../ui/filter-chips.tsx'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import type { Address } from './address.ts'
import { ExportButton } from './export-button.tsx'
import { ListTable, readsNoPage, type ShownPage, type TableDefinition } from './list-table.tsx'
import { type ReadPage, usePagesAhead } from './read-ahead.ts'
import { type ListState, useListState } from './use-list-state.ts'

/** One view of a list: the parameters it sets. */
export type Tab<Params> = {
  key: string
  label: string
  sets: Partial<Params>
  /** How much there is behind it; null while that is being counted. */
  count?: string | null | undefined
  /** Where it is the current one though not all that it sets is set, or the other way round. */
  current?: boolean
}

/** A view for everything, and one for each of some values. */
export const tabsOf = <Value extends string, Params>(
  values: readonly Value[],
  tabOf: (value: Value | null) => Omit<Tab<Params>, 'key'>,
): Tab<Params>[] => [null, ...values].map((value) => ({ key: value ?? 'all', ...tabOf(value) }))

/** A view for everything, and one for each state that a row may be in. */
export const stateTabs = <State extends string>(
  t: (key: 'stateFilter' | 'all' | `states.${State}`) => string,
  states: readonly State[],
) => ({
  label: t('stateFilter'),
  tabs: tabsOf(states, (state) => ({ label: t(state ? `states.${state}` : 'all'), sets: { state } })),
})

/** What stands around rows that the address chooses; what it does not name it does not have. */
export type FrameDefinition<Params, Filter> = {
  address: Address<Params, Filter>
  useTitle: () => string
  /** Why this operator may not see the rows; null when they may. */
  useRefusal?: () => { title: string; hint: string } | null
  /** What the filters leave, in words; null until that is counted. */
  useSum?: (filter: Filter, params: Params) => ReactNode
  exportAs?: ExportName
  /** What is exported, where that is not what the address asks for. */
  exportQuery?: (params: Params) => Record<string, unknown>
  Actions?: ComponentType
  Above?: ComponentType
  Below?: ComponentType
  useTabs?: (
    list: ListState<Params>,
    filter: Filter,
  ) => { label: string; tabs: readonly Tab<Params>[] } | null
  /** How a page is read before it is turned to; without it none is. */
  useReadPage?: () => ReadPage<Params>
}

type Framed<Params, Filter> = {
  frame: FrameDefinition<Params, Filter>
  list: ListState<Params>
}

const nothing = () => null

function Sum<Params, Filter>({ frame, list: { params } }: Framed<Params, Filter>) {
  const { address, useSum = nothing } = frame
  return useSum(address.filterOf(params), params) ?? <Skeleton width={140} />
}

/** The views beside the one that is shown; where something else narrows them too, none: each may take long to find. */
function placesAhead<Params, Filter>(
  address: Address<Params, Filter>,
  params: Params,
  tabs: readonly Tab<Params>[],
): { params: Params; cursor: null }[] {
  const ofTabs = tabs.flatMap(({ sets }) => Object.keys(sets))
  if (address.isNarrowedBeside(params, ofTabs)) return []
  const beside = tabs.filter(({ sets }) => !address.has(params, sets))
  return beside.map(({ sets }) => ({ params: { ...params, ...sets }, cursor: null }))
}

function Tabs<Params, Filter>({ frame, list }: Framed<Params, Filter>) {
  const { address, useTabs = nothing, useReadPage = readsNoPage } = frame
  const views = useTabs(list, address.filterOf(list.params))
  usePagesAhead(useReadPage(), placesAhead(address, list.params, views?.tabs ?? []))
  if (!views) return null
  const tabs = views.tabs.map(({ sets, current, ...tab }) => ({
    ...tab,
    href: address.pathWith(list.params, sets),
    current: current ?? address.has(list.params, sets),
    choose: () => list.change(sets),
  }))
  return <LinkTabs label={views.label} tabs={tabs} />
}

function Acts<Params, Filter>({ frame, list }: Framed<Params, Filter>) {
  const { address, exportAs, exportQuery = (params) => ({ ...address.wholeOf(params) }), Actions } = frame
  return (
    <>
      {exportAs && <ExportButton name={exportAs} query={exportQuery(list.params)} />}
      {Actions && <Actions />}
    </>
  )
}

/** A page of rows: its head, its views, and what its definition puts above and below. */
export function ListFrame<Params, Filter>({
  frame,
  list,
  children,
}: Framed<Params, Filter> & { children: ReactNode }) {
  const { useTitle, useRefusal = nothing, useSum, exportAs, Actions, Above, Below } = frame
  const refusal = useRefusal()
  return (
    <>
      <PageHeader
        title={useTitle()}
        aside={useSum && !refusal && <Sum frame={frame} list={list} />}
        actions={(exportAs || Actions) && <Acts frame={frame} list={list} />}
      />
      {refusal ? (
        <Panel>
          <BlankSlate icon="key" {...refusal} />
        </Panel>
      ) : (
        <>
          {Above && <Above />}
          <SavedViews />
          <Panel>
            <Tabs frame={frame} list={list} />
            {children}
          </Panel>
          {Below && <Below />}
        </>
      )}
    </>
  )
}

type ListDefinition<Params, Filter, Row> = FrameDefinition<Params, Filter> &
  TableDefinition<Params, Row> & {
    Filters?: ComponentType<{ list: ListState<Params> }>
    /** What narrows the list and has no field of its own. */
    useChips?: (list: ListState<Params>) => readonly (FilterChip | null)[]
  }

type Written<Params, Filter, Row> = {
  useWords: () => (key: 'title' | 'caption') => string
  /** Where the title is not always the same. */
  useTitle?: () => string
  useRows: (query: QueryOf<Params, Filter>) => ShownPage<Row>
  /** Reads a page before it is turned to. */
  useReadQuery?: () => (query: QueryOf<Params, Filter>) => Promise<unknown>
} & Omit<
  ListDefinition<Params, Filter, Row>,
  'address' | 'useTitle' | 'useCaption' | 'useRows' | 'useReadPage'
>

type QueryOf<Params, Filter> = ReturnType<Address<Params, Filter>['queryOf']>

/** A list at its address: all that makes its page, in one place. */
export const defineList =
  <Params, Filter>(address: Address<Params, Filter>) =>
  <Row,>({
    useWords,
    useRows,
    useReadQuery,
    ...list
  }: Written<Params, Filter, Row>): ListDefinition<Params, Filter, Row> => ({
    address,
    useTitle: () => useWords()('title'),
    useCaption: () => useWords()('caption'),
    usualRows: address.usualRows,
    ...list,
    useRows: (params) => useRows(address.queryOf(params)),
    ...(useReadQuery && {
      useReadPage() {
        const read = useReadQuery()
        return ({ params, cursor }) => read(address.queryOf(params, cursor))
      },
    }),
  })

const noChips = () => []

type Defined<Params, Filter, Row> = { definition: ListDefinition<Params, Filter, Row> }

/** What stands below the views of a list: its filters, what narrows it besides, its rows. */
export function ListRows<Params, Filter, Row>({
  definition,
  list,
}: Defined<Params, Filter, Row> & { list: ListState<Params> }) {
  const { Filters, useChips = noChips } = definition
  const chips: readonly (FilterChip | null)[] = useChips(list)
  return (
    <>
      {Filters && <Filters list={list} />}
      <FilterChips chips={chips.filter((chip) => chip !== null)} />
      <ListTable table={definition} list={list} />
    </>
  )
}

/** The page of a list. */
export function ListPage<Params, Filter, Row>({ definition }: Defined<Params, Filter, Row>) {
  const list = useListState(definition.address)
  return (
    <ListFrame frame={definition} list={list}>
      <ListRows definition={definition} list={list} />
    </ListFrame>
  )
}
