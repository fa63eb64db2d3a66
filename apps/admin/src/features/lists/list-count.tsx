'use client'

import { EXACT_COUNT_LIMIT } from '@meridian/contracts'
import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { Skeleton } from '../../ui/skeleton.tsx'

type Count = { count: number; more: boolean }

type ListCountProps<Fault, Key extends QueryKey> = {
  t: (key: 'count' | 'countMore', values: { count: number }) => string
  /** What it says where it could not count. */
  failed: string
  query: UseQueryOptions<Count, Fault, Count, Key>
}

/** How many things the filters leave. */
export function ListCount<Fault, Key extends QueryKey>({ t, failed, query }: ListCountProps<Fault, Key>) {
  const things = useQuery({ ...query, placeholderData: keepPreviousData })
  if (things.isError) return <span>{failed}</span>
  if (!things.data) return <Skeleton width={80} />
  const { count, more } = things.data
  return more ? t('countMore', { count: EXACT_COUNT_LIMIT }) : t('count', { count })
}
