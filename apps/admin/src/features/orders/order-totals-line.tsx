'use client'

import { EXACT_COUNT_LIMIT, formatFen } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type OrderListParams, orderFilterOf } from './order-list-params.ts'

/** How many orders the filters leave and what they add up to. */
export function OrderTotalsLine({ params }: { params: OrderListParams }) {
  const t = useTranslations('orders')
  const trpc = useTRPC()
  const totals = useQuery({
    ...trpc.order.totals.queryOptions(orderFilterOf(params)),
    placeholderData: keepPreviousData,
  })
  if (totals.isError) return <span>{t('totalsFailed')}</span>
  if (!totals.data) return <Skeleton width={200} />
  const { count, amountFen, more } = totals.data
  const amount = formatFen(amountFen)
  return (
    <span data-busy={totals.isPlaceholderData || undefined}>
      {more ? t('totalsMore', { count: EXACT_COUNT_LIMIT, amount }) : t('totals', { count, amount })}
    </span>
  )
}
