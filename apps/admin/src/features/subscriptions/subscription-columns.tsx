import type { SubscriptionRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { SubscriptionBadge } from './subscription-badge.tsx'
import type { SubscriptionListState } from './subscription-list-params.ts'
import { useFeatureName } from './use-feature-name.ts'

/** What the days bring, left out first where there is little room. */
function useContentColumns(): Column<SubscriptionRow>[] {
  const t = useTranslations('subscriptions.columns')
  const nameOf = useFeatureName()
  return [
    {
      key: 'plan',
      title: t('plan'),
      skeleton: 72,
      card: 'subEnd',
      cell: ({ planName }) => planName ?? <EmptyValue />,
    },
    {
      key: 'features',
      title: t('features'),
      skeleton: 132,
      from: 'wide',
      card: 'none',
      cell: ({ features }) => (features.length > 0 ? features.map(nameOf).join(' · ') : <EmptyValue />),
    },
    {
      key: 'entries',
      title: t('entries'),
      align: 'end',
      skeleton: 24,
      from: 'medium',
      card: 'none',
      cell: ({ entries }) => entries,
    },
  ]
}

/** How the list of subscriptions reads from left to right. */
export function useSubscriptionColumns({
  params: { sort },
  change,
}: SubscriptionListState): Column<SubscriptionRow>[] {
  const t = useTranslations('subscriptions.columns')
  const words = useTranslations('subscriptions')
  return [
    {
      key: 'user',
      title: t('user'),
      skeleton: 132,
      card: 'head',
      cell: (row) => <Identifier value={row.userId} name={words('userId')} href={paths.subscription(row)} />,
    },
    {
      key: 'state',
      title: t('state'),
      skeleton: 72,
      card: 'sub',
      cell: (row) => <SubscriptionBadge {...row} />,
    },
    {
      key: 'daysLeft',
      title: t('daysLeft'),
      align: 'end',
      skeleton: 48,
      card: 'headEnd',
      cell: ({ remainingDays }) => words('days', { days: remainingDays }),
    },
    {
      key: 'expiresAt',
      title: t('expiresAt'),
      skeleton: 112,
      card: 'line',
      cell: ({ expiresAt }) => (expiresAt ? <DateTime time={expiresAt} /> : <EmptyValue />),
      sort: {
        direction: sort === 'soonest' ? 'ascending' : 'descending',
        press: () => change({ sort: sort === 'soonest' ? 'latest' : 'soonest' }),
      },
    },
    ...useContentColumns(),
  ]
}
