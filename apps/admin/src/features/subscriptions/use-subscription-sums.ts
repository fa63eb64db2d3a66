import { EXACT_COUNT_LIMIT, type RowCount, type SubscriptionFilter } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'

/** As it is said: exact up to 10,000, and `10,000+` beyond. */
const said = ({ count, more }: RowCount): string =>
  more ? `${formatCount(EXACT_COUNT_LIMIT)}+` : formatCount(count)

/**
 * How many subscriptions the filters leave, how they stand and how many days are left of them; null until that is known.
 * Of a part that the filters ask for themselves nothing is said twice.
 */
export function useSubscriptionSums({ ...filter }: SubscriptionFilter): string | null {
  const t = useTranslations('subscriptions')
  const { data, isError } = useQuery({
    ...useTRPC().subscription.sums.queryOptions(filter),
    placeholderData: keepPreviousData,
  })
  if (isError) return t('sums.failed')
  if (!data) return null
  const { count, more, active, endingSoon, expired, remainingDays } = data
  const isNarrowed = filter.state !== undefined || filter.daysLeft !== undefined
  const parts = [
    more ? t('countMore', { count: EXACT_COUNT_LIMIT }) : t('count', { count }),
    !isNarrowed && t('sums.active', { users: said(active) }),
    filter.state !== 'expired' &&
      filter.daysLeft === undefined &&
      t('sums.endingSoon', { users: said(endingSoon) }),
    !isNarrowed && t('sums.expired', { users: said(expired) }),
    remainingDays !== null && remainingDays > 0 && t('sums.daysLeft', { days: remainingDays }),
  ]
  return parts.filter((part) => part !== false).join(' · ')
}
