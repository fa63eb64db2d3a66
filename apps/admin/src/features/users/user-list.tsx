'use client'

import { type UserRow, userStates } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { byAge, columnsOf, sortBy } from '../../kit/list/columns.tsx'
import { useCountWords } from '../../kit/list/counts.ts'
import { defineList, ListPage, stateTabs } from '../../kit/list/define-list.tsx'
import { UsualFilters } from '../../kit/list/filters.tsx'
import { EmptyList, useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { SubscriptionLink } from '../related/row-links.tsx'
import { withTags } from '../tags/tag-chip.tsx'
import { TagFilter } from '../tags/tag-filter.tsx'
import { UserBadge } from './user-badge.tsx'

const useWords = () => useTranslations('users')

const users = defineList(addresses.users)<UserRow>({
  name: 'users',
  useWords,
  exportAs: 'users',
  useSum: (filter) => useCountWords(useWords(), useTRPC().user.count.queryOptions(filter)),
  useRows: (query) => useListPage(useTRPC().user.list.queryOptions(query)),
  rowKey: ({ id }) => id,
  rowHref: paths.user,
  useRowActs:
    () =>
    ({ id }) => <SubscriptionLink userId={id} />,
  useTabs: () => stateTabs(useWords(), userStates),
  Filters({ list }) {
    const t = useWords()
    return (
      <UsualFilters t={t} list={list} days={t('dates')} presets={['lastWeek', 'lastMonth', 'lastQuarter']}>
        <TagFilter list={list} />
      </UsualFilters>
    )
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} />,
  useColumns(list) {
    const t = useWords()
    const column = columnsOf(useTranslations('users.columns'))
    return [
      withTags(
        column.person('user', ({ nickname }) => nickname, {
          id: ({ id }) => id,
          idName: t('userId'),
          href: (id) => paths.user({ id }),
          card: 'head',
        }),
      ),
      column.cell('state', ({ state }) => <UserBadge state={state} />, { card: 'sub' }),
      column.count('daysLeft', ({ remainingDays }) => t('days', { days: remainingDays }), { card: 'subEnd' }),
      column.count('devices', ({ devices }) => devices, { card: 'none', from: 'medium' }),
      column.time('createdAt', ({ createdAt }) => createdAt, {
        sort: sortBy(list, byAge),
      }),
    ]
  },
})

/** The list of the people who use the mini-program. */
export const UserList = () => <ListPage definition={users} />
