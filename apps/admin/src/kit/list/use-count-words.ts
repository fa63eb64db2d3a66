'use client'

import { EXACT_COUNT_LIMIT, type RowCount } from '@meridian/contracts'
import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'

type CountWords<Fault, Key extends QueryKey> = {
  t: (key: 'count' | 'countMore', values: { count: number }) => string
  /** What it says where it could not count. */
  failed: string
  query: UseQueryOptions<RowCount, Fault, RowCount, Key>
}

/** How many things the filters leave, in words; null until they are counted. */
export function useCountWords<Fault, Key extends QueryKey>({
  t,
  failed,
  query,
}: CountWords<Fault, Key>): string | null {
  const things = useQuery({ ...query, placeholderData: keepPreviousData })
  if (things.isError) return failed
  if (!things.data) return null
  const { count, more } = things.data
  return more ? t('countMore', { count: EXACT_COUNT_LIMIT }) : t('count', { count })
}
