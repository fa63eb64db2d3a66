'use client'

import { type UserRow, type UserState, userStates } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { idColumn, sortBy, timeColumn } from '../../kit/list/columns.tsx'
import { useCountWords } from '../../kit/list/counts.ts'
import { defineList, ListPage, tabsOf } from '../../kit/list/define-list.tsx'
import { EmptyList } from '../../kit/list/empty-list.tsx'
import { ClearFilters, DaysFilter, FilterBar, SearchFilter } from '../../kit/list/filters.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { UserBadge } from './user-badge.tsx'

const useWords = () => useTranslations('users')

const users = defineList(addresses.users)<UserRow>({
  name: 'users',
  useWords,
  exportAs: 'users',
  useSum(filter) {
    const t = useWords()
    return useCountWords({ t, failed: t('countFailed'), query: useTRPC().user.count.queryOptions(filter) })
  },
  useRows: (query) => useListPage(useTRPC().user.list.queryOptions(query)),
  rowKey: ({ id }) => id,
  rowHref: paths.user,
  useTabs() {
    const t = useWords()
    const tabOf = (state: UserState | null) => ({
      label: t(state ? `states.${state}` : 'all'),
      sets: { state },
    })
    return { label: t('stateFilter'), tabs: tabsOf(userStates, tabOf) }
  },
  Filters({ list }) {
    const t = useWords()
    return (
      <FilterBar>
        <SearchFilter t={t} list={list} />
        <DaysFilter t={t} label={t('dates')} list={list} presets={['lastWeek', 'lastMonth', 'lastQuarter']} />
        <ClearFilters list={list} label={t('clear')} />
      </FilterBar>
    )
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} />,
  useColumns(list) {
    const t = useWords()
    return [
      idColumn({
        key: 'user',
        title: t('columns.user'),
        name: t('userId'),
        card: 'head',
        id: ({ id }) => id,
        href: paths.user,
      }),
      {
        key: 'nickname',
        title: t('columns.nickname'),
        skeleton: 48,
        card: 'headEnd',
        cell: ({ nickname }) => nickname ?? <EmptyValue />,
      },
      {
        key: 'state',
        title: t('columns.state'),
        skeleton: 72,
        card: 'sub',
        cell: ({ state }) => <UserBadge state={state} />,
      },
      {
        key: 'daysLeft',
        title: t('columns.daysLeft'),
        align: 'end',
        skeleton: 48,
        card: 'subEnd',
        cell: ({ remainingDays }) => t('days', { days: remainingDays }),
      },
      {
        key: 'devices',
        title: t('columns.devices'),
        align: 'end',
        skeleton: 24,
        from: 'medium',
        card: 'none',
        cell: ({ devices }) => devices,
      },
      timeColumn({
        key: 'createdAt',
        title: t('columns.createdAt'),
        card: 'line',
        at: ({ createdAt }) => createdAt,
        sort: sortBy(list, { ascending: 'oldest', descending: 'newest' }),
      }),
    ]
  },
})

/** The list of the people who use the mini-program. */
export const UserList = () => <ListPage definition={users} />
