'use client'

import { EXACT_COUNT_LIMIT, formatFen, type RowCount } from '@meridian/contracts'
import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { formatCount } from '../../format.ts'

type CountWords = (key: 'count' | 'countMore', values: { count: number }) => string

/** How many things the filters leave, in words; null until they are counted. */
export function useCountWords<Fault, Key extends QueryKey>(
  t: CountWords,
  query: UseQueryOptions<RowCount, Fault, RowCount, Key>,
  /** What it says where it could not count. */
  failed?: string,
): string | null {
  const unavailable = useTranslations('ui')('countFailed')
  const things = useQuery({ ...query, placeholderData: keepPreviousData })
  if (things.isError) return failed ?? unavailable
  if (!things.data) return null
  const { count, more } = things.data
  return more ? t('countMore', { count: EXACT_COUNT_LIMIT }) : t('count', { count })
}

type Totals = RowCount & { amountFen: number; refundedFen: number }

type TotalWords = (
  key: 'totals' | 'totalsMore',
  values: { count: number; amount: string; refunded: string },
) => string

/** How many things the filters leave, what they add up to and what of it went back; null until that is known. */
export function useTotalWords<Fault, Key extends QueryKey>(
  t: TotalWords,
  query: UseQueryOptions<Totals, Fault, Totals, Key>,
  failed: string,
): string | null {
  const totals = useQuery({ ...query, placeholderData: keepPreviousData })
  if (totals.isError) return failed
  if (!totals.data) return null
  const { count, amountFen, refundedFen, more } = totals.data
  const money = { amount: formatFen(amountFen), refunded: formatFen(refundedFen) }
  return more ? t('totalsMore', { count: EXACT_COUNT_LIMIT, ...money }) : t('totals', { count, ...money })
}

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
    return count.more ? `${formatCount(EXACT_COUNT_LIMIT)}+` : formatCount(count.count)
  }
}
