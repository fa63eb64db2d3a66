'use client'

import type { TwoWayPage } from '@meridian/contracts'
import {
  hashKey,
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useFailure } from '../../api-client/api-provider.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DataTable, type DataTableProps } from '../../ui/data-table/data-table.tsx'
import { useCursor } from '../../ui/data-table/page-turner.tsx'
import type { RowsPerPage } from '../../ui/data-table/rows-per-page.ts'
import type { IconName } from '../../ui/icon.tsx'
import { useIdle } from '../../ui/use-idle.ts'
import type { ListState } from './use-list-state.ts'

export type ShownPage<Row> = Pick<DataTableProps<Row>, 'rows' | 'busy' | 'failure' | 'onRetry' | 'turns'>

type PageQuery<Row, Fault, Key extends QueryKey> = UseQueryOptions<
  TwoWayPage<Row>,
  Fault,
  TwoWayPage<Row>,
  Key
>

/** As long as somebody may look at a page before they turn it; what is read ahead is asked for anew once it is shown. */
const AHEAD_MS = 60_000

/** Reads something before it is wanted. */
function useQueryAhead<Read, Fault, Key extends QueryKey>(
  query: UseQueryOptions<Read, Fault, Read, Key> | null,
) {
  const cache = useQueryClient()
  const latest = useRef(query)
  useEffect(() => {
    latest.current = query
  })
  const wanted = query && hashKey(query.queryKey)
  const read = useMemo(
    () =>
      wanted === null
        ? null
        : async () => {
            if (latest.current) await cache.prefetchQuery({ ...latest.current, staleTime: AHEAD_MS })
          },
    [cache, wanted],
  )
  useIdle(read)
}

/** What a table shows of a list's page; until the next one is there, the rows of the last. With `pageAt`, the next page is read while this one is looked at. */
export function useListPage<Row, Fault, Key extends QueryKey>(
  query: PageQuery<Row, Fault, Key>,
  pageAt?: (cursor: string) => PageQuery<Row, Fault, Key>,
): ShownPage<NoInfer<Row>> {
  const failureOf = useFailure()
  const page = useQuery({ ...query, placeholderData: keepPreviousData })
  const nextCursor = page.isPlaceholderData ? null : (page.data?.nextCursor ?? null)
  useQueryAhead(nextCursor === null ? null : (pageAt?.(nextCursor) ?? null))
  return {
    rows: page.data?.items,
    busy: page.isFetching && (page.isPending || page.isPlaceholderData),
    failure: failureOf(page.error),
    onRetry: () => void page.refetch(),
    turns: useCursor(page.data),
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
  useBulk?: () => Bulk<Row> | null
  /** Reads what is likely to be opened next, while nothing else is wanted; undefined until there are rows. */
  useReadAhead?: (rows: readonly Row[] | undefined) => void
  useCaption: () => string
  /** Stands where rows would be. */
  Empty: ComponentType<{ list: ListState<Params> }>
  usualRows?: RowsPerPage
}

const noBulk = () => null
const readsNothing = () => {}

/** The rows of a list, as its definition says. */
export function ListTable<Params, Row>({
  table: { name, useRows, useColumns, useCaption, Empty, ...table },
  list,
}: {
  table: TableDefinition<Params, Row>
  list: ListState<Params>
}) {
  const { useBulk = noBulk, useReadAhead = readsNothing } = table
  const acts = useBulk()
  const page = useRows(list.params)
  useReadAhead(page.busy ? undefined : page.rows)
  return (
    <>
      {acts?.dialog}
      <DataTable
        name={name}
        rowKey={table.rowKey}
        rowHref={table.rowHref}
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
