'use client'

import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useFailure } from '../../api-client/use-failure.ts'
import type { DataTableProps } from '../../ui/data-table/data-table.tsx'
import { useCursor } from '../../ui/use-cursor.ts'

type Page<Row> = { items: Row[]; previousCursor: string | null; nextCursor: string | null }

type ShownPage<Row> = Pick<DataTableProps<Row>, 'rows' | 'busy' | 'failure' | 'onRetry' | 'turns'>

/** What a table shows of a list's page; until the next one is there, the rows of the last. */
export function useListPage<Row, Fault, Key extends QueryKey>(
  query: UseQueryOptions<Page<Row>, Fault, Page<Row>, Key>,
): ShownPage<Row> {
  const failureOf = useFailure()
  const page = useQuery({ ...query, placeholderData: keepPreviousData })
  return {
    rows: page.data?.items,
    busy: page.isFetching && (page.isPending || page.isPlaceholderData),
    failure: failureOf(page.error),
    onRetry: () => void page.refetch(),
    turns: useCursor(page.data),
  }
}
