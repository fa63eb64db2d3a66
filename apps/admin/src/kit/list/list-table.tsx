'use client'

import type { TwoWayPage } from '@meridian/contracts'
import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { useFailure } from '../../api-client/api-provider.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DataTable, type DataTableProps } from '../../ui/data-table/data-table.tsx'
import { useCursor } from '../../ui/data-table/page-turner.tsx'
import type { RowsPerPage } from '../../ui/data-table/rows-per-page.ts'
import type { IconName } from '../../ui/icon.tsx'
import { type ReadPage, usePagesAhead } from './read-ahead.ts'
import type { ListState } from './use-list-state.ts'

export type ShownPage<Row> = Pick<DataTableProps<Row>, 'rows' | 'busy' | 'failure' | 'onRetry' | 'turns'> & {
  /** Where the page after it begins; null where there is none, or it is not known yet. */
  nextCursor: string | null
}

/** What a table shows of a list's page; until the next one is there, the rows of the last. */
export function useListPage<Row, Fault, Key extends QueryKey>(
  query: UseQueryOptions<TwoWayPage<Row>, Fault, TwoWayPage<Row>, Key>,
): ShownPage<NoInfer<Row>> {
  const failureOf = useFailure()
  const page = useQuery({ ...query, placeholderData: keepPreviousData })
  return {
    rows: page.data?.items,
    busy: page.isFetching && (page.isPending || page.isPlaceholderData),
    failure: failureOf(page.error),
    onRetry: () => void page.refetch(),
    turns: useCursor(page.data),
    nextCursor: page.isPlaceholderData ? null : (page.data?.nextCursor ?? null),
  }
}

/** What may be done with several rows, and the dialogs that belong to it. */
export type Bulk<Row> = { bulk: NonNullable<DataTableProps<Row>['bulk']>; dialog: ReactNode }

/** Rows, and how each reads from left to right. */
export type TableDefinition<Params, Row> = {
  /** Under which an operator's arrangement of the columns is kept: the same in every language, and for good. */
  name: string
  useRows: (params: Params) => ShownPage<Row>
  useColumns: (list: ListState<Params>) => Column<Row>[]
  rowKey: (row: Row) => string
  /** Null where a row leads nowhere. */
  rowHref: (row: Row) => string | null
  /** What may be done with one row, beside opening it: `RowLink`s and `RowAct`s. */
  useRowActs?: () => (row: Row) => ReactNode
  useBulk?: () => Bulk<Row> | null
  /** How a page is read before it is turned to; without it none is. */
  useReadPage?: () => ReadPage<Params>
  /** Reads what is likely to be opened next, while nothing else is wanted; undefined until there are rows. */
  useReadAhead?: (rows: readonly Row[] | undefined) => void
  useCaption: () => string
  /** Stands where rows would be. */
  Empty: ComponentType<{ list: ListState<Params> }>
  usualRows?: RowsPerPage
}

const noBulk = () => null
const noActs = () => undefined
const readsNothing = () => {}
export const readsNoPage = () => null

/** The rows of a list, as its definition says. */
export function ListTable<Params, Row>({
  table: { name, useRows, useColumns, useCaption, Empty, ...table },
  list,
}: {
  table: TableDefinition<Params, Row>
  list: ListState<Params>
}) {
  const {
    useBulk = noBulk,
    useRowActs = noActs,
    useReadAhead = readsNothing,
    useReadPage = readsNoPage,
  } = table
  const acts = useBulk()
  const rowActs = useRowActs()
  const { nextCursor, ...page } = useRows(list.params)
  useReadAhead(page.busy ? undefined : page.rows)
  usePagesAhead(useReadPage(), nextCursor === null ? [] : [{ params: list.params, cursor: nextCursor }])
  return (
    <>
      {acts?.dialog}
      <DataTable
        name={name}
        rowKey={table.rowKey}
        rowHref={table.rowHref}
        {...(rowActs && { rowActs })}
        {...(acts && { bulk: acts.bulk })}
        {...(table.usualRows && { usualRows: table.usualRows })}
        caption={useCaption()}
        columns={useColumns(list)}
        empty={<Empty list={list} />}
        {...page}
      />
    </>
  )
}

type EmptyListProps = {
  t: (key: 'noMatchTitle' | 'noMatchHint' | 'clear' | 'emptyTitle' | 'emptyHint') => string
  list: Pick<ListState<unknown>, 'filtered' | 'first' | 'clear'>
  icon?: IconName
}

/** Where rows would be: nothing has come yet, or nothing matches the filters. */
export function EmptyList({ t, list, icon = 'inbox' }: EmptyListProps) {
  return list.filtered || !list.first ? (
    <BlankSlate
      icon="search"
      title={t('noMatchTitle')}
      hint={t('noMatchHint')}
      action={<Button onClick={list.clear}>{t('clear')}</Button>}
    />
  ) : (
    <BlankSlate icon={icon} title={t('emptyTitle')} hint={t('emptyHint')} />
  )
}
