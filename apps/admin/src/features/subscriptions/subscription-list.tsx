'use client'

import { ENDS_SOON_DAYS, type SubscriptionRow } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { columnsOf, sortBy } from '../../kit/list/columns.tsx'
import { defineList, ListPage } from '../../kit/list/define-list.tsx'
import { ExportButton } from '../../kit/list/export-button.tsx'
import { UsualFilters } from '../../kit/list/filters.tsx'
import { EmptyList, useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { useDaysInWords } from '../../ui/filter-chips.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useSoldName } from '../plans/plan-name.ts'
import { UserLink } from '../related/row-links.tsx'
import { RequestTable } from './request-table.tsx'
import { SubscriptionBadge, useFeatureName } from './subscription-words.tsx'
import styles from './subscriptions.module.css'
import { useSubscriptionSums } from './use-subscription-sums.ts'

/** Days that wait for a second person; nothing where none do. */
function OpenRequests() {
  const t = useTranslations('subscriptions')
  const requests = useQuery(useTRPC().subscription.requests.queryOptions())
  if (!requests.data || requests.data.items.length === 0) return null
  const title = t('openRequests', { count: requests.data.items.length })
  return (
    <div className={styles['above']}>
      <Panel
        title={title}
        aside={<ExportButton name="grants" query={{ state: 'requested' }} label={t('exportRequests')} />}
      >
        <RequestTable caption={title} requests={requests.data.items} withUser />
      </Panel>
    </div>
  )
}

const useWords = () => useTranslations('subscriptions')

const subscriptions = defineList(addresses.subscriptions)<SubscriptionRow>({
  name: 'subscriptions',
  useWords,
  exportAs: 'subscriptions',
  Above: OpenRequests,
  useSum: useSubscriptionSums,
  useRows: (query) => useListPage(useTRPC().subscription.list.queryOptions(query)),
  rowKey: ({ userId }) => userId,
  rowHref: paths.subscription,
  useRowActs: () => (subscription) => <UserLink userId={subscription.userId} />,
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
          label: t('endingWithin', { days: ENDS_SOON_DAYS }),
          sets: { state: 'active', days_left: ENDS_SOON_DAYS },
        },
        { key: 'expired', label: t('states.expired'), sets: { state: 'expired', days_left: null } },
      ],
    }
  },
  Filters({ list }) {
    const t = useWords()
    return (
      <UsualFilters
        t={t}
        list={list}
        days={t('endDates')}
        presets={['nextWeek', 'nextMonth', 'lastWeek', 'lastMonth']}
      />
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
    const column = columnsOf(useTranslations('subscriptions.columns'))
    const nameOf = useFeatureName()
    const soldName = useSoldName()
    return [
      column.person('user', ({ customer }) => customer, {
        id: ({ userId }) => userId,
        idName: t('userId'),
        href: (userId) => paths.subscription({ userId }),
        card: 'head',
      }),
      column.cell('state', (row) => <SubscriptionBadge {...row} />, { card: 'sub' }),
      column.count('daysLeft', ({ remainingDays }) => t('days', { days: remainingDays }), {
        card: 'headEnd',
      }),
      column.time('expiresAt', ({ expiresAt }) => expiresAt, {
        sort: sortBy(list, { ascending: 'soonest', descending: 'latest' }),
      }),
      column.text('plan', ({ planName }) => soldName(planName), { card: 'subEnd' }),
      column.text('features', ({ features }) => features.map(nameOf).join(' · ') || null, {
        skeleton: 132,
        from: 'wide',
        card: 'none',
      }),
      column.count('entries', ({ entries }) => entries, { card: 'none', from: 'medium' }),
    ]
  },
})

/** The list of subscriptions, and above it what waits for a second person. */
export const SubscriptionList = () => <ListPage definition={subscriptions} />
