'use client'

import type { SubscriptionRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { idColumn, sortBy, timeColumn } from '../../kit/list/columns.tsx'
import { useCountWords } from '../../kit/list/counts.ts'
import { defineList, ListPage } from '../../kit/list/define-list.tsx'
import { EmptyList } from '../../kit/list/empty-list.tsx'
import { ClearFilters, DaysFilter, FilterBar, SearchFilter } from '../../kit/list/filters.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { useDaysInWords } from '../../ui/filter-chips.tsx'
import { OpenRequests } from './open-requests.tsx'
import { SubscriptionBadge } from './subscription-badge.tsx'
import { useFeatureName } from './use-feature-name.ts'

const useWords = () => useTranslations('subscriptions')

const SOON_DAYS = 7

const subscriptions = defineList(addresses.subscriptions)<SubscriptionRow>({
  name: 'subscriptions',
  useWords,
  exportAs: 'subscriptions',
  Above: OpenRequests,
  useSum(filter) {
    const t = useWords()
    const query = useTRPC().subscription.count.queryOptions(filter)
    return useCountWords({ t, failed: t('countFailed'), query })
  },
  useRows: (query) => useListPage(useTRPC().subscription.list.queryOptions(query)),
  rowKey: ({ userId }) => userId,
  rowHref: paths.subscription,
  /** All, those with days, those that soon have none, those without. */
  useTabs() {
    const t = useWords()
    return {
      label: t('stateFilter'),
      tabs: [
        { key: 'all', label: t('all'), sets: { state: null, days_left: null } },
        { key: 'active', label: t('states.active'), sets: { state: 'active', days_left: null } },
        {
          key: 'soon',
          label: t('endingWithin', { days: SOON_DAYS }),
          sets: { state: 'active', days_left: SOON_DAYS },
        },
        { key: 'expired', label: t('states.expired'), sets: { state: 'expired', days_left: null } },
      ],
    }
  },
  Filters({ list }) {
    const t = useWords()
    return (
      <FilterBar>
        <SearchFilter t={t} list={list} />
        <DaysFilter
          t={t}
          label={t('endDates')}
          list={list}
          presets={['nextWeek', 'nextMonth', 'lastWeek', 'lastMonth']}
        />
        <ClearFilters list={list} label={t('clear')} />
      </FilterBar>
    )
  },
  /** Whose first days ever came in these days: what the overview counts as new. */
  useChips({ params: { fresh_from: from, fresh_to: to }, change }) {
    const t = useWords()
    const daysInWords = useDaysInWords()
    if ((from ?? to) === null) return []
    const label = t('freshOn', { days: daysInWords({ from, to }) })
    return [{ key: 'fresh', label, remove: () => change({ fresh_from: null, fresh_to: null }) }]
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} />,
  useColumns(list) {
    const t = useWords()
    const nameOf = useFeatureName()
    return [
      idColumn({
        key: 'user',
        title: t('columns.user'),
        name: t('userId'),
        card: 'head',
        id: ({ userId }) => userId,
        href: paths.subscription,
      }),
      {
        key: 'state',
        title: t('columns.state'),
        skeleton: 72,
        card: 'sub',
        cell: (row) => <SubscriptionBadge {...row} />,
      },
      {
        key: 'daysLeft',
        title: t('columns.daysLeft'),
        align: 'end',
        skeleton: 48,
        card: 'headEnd',
        cell: ({ remainingDays }) => t('days', { days: remainingDays }),
      },
      timeColumn({
        key: 'expiresAt',
        title: t('columns.expiresAt'),
        card: 'line',
        at: ({ expiresAt }) => expiresAt,
        sort: sortBy(list, { ascending: 'soonest', descending: 'latest' }),
      }),
      {
        key: 'plan',
        title: t('columns.plan'),
        skeleton: 72,
        card: 'subEnd',
        cell: ({ planName }) => planName ?? <EmptyValue />,
      },
      {
        key: 'features',
        title: t('columns.features'),
        skeleton: 132,
        from: 'wide',
        card: 'none',
        cell: ({ features }) => (features.length > 0 ? features.map(nameOf).join(' · ') : <EmptyValue />),
      },
      {
        key: 'entries',
        title: t('columns.entries'),
        align: 'end',
        skeleton: 24,
        from: 'medium',
        card: 'none',
        cell: ({ entries }) => entries,
      },
    ]
  },
})

/** The list of subscriptions, and above it what waits for a second person. */
export const SubscriptionList = () => <ListPage definition={subscriptions} />
