'use client'

import { EXACT_COUNT_LIMIT, type RowCount } from '@meridian/contracts'
import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'

const grouped = new Intl.NumberFormat('en-US')

/** What a tab says of how much is behind it: null while it is counted, nothing where it cannot be. */
export function useTabCounts<Tab extends string, Fault, Key extends QueryKey>(
  query: UseQueryOptions<(RowCount & { tab: Tab })[], Fault, (RowCount & { tab: Tab })[], Key>,
  countable = true,
): (tab: Tab) => string | null | undefined {
  const counts = useQuery({ ...query, placeholderData: keepPreviousData, enabled: countable })
  return (wanted) => {
    if (!countable || counts.isError) return undefined
    const count = counts.data?.find(({ tab }) => tab === wanted)
    if (!count) return null
    return count.more ? `${grouped.format(EXACT_COUNT_LIMIT)}+` : grouped.format(count.count)
  }
}
