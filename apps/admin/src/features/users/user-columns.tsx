import type { UserRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { UserBadge } from './user-badge.tsx'
import type { UserListState } from './user-list-params.ts'

/** How the list of users reads from left to right. */
export function useUserColumns({ params: { sort }, change }: UserListState): Column<UserRow>[] {
  const t = useTranslations('users')
  return [
    {
      key: 'user',
      title: t('columns.user'),
      skeleton: 132,
      card: 'head',
      cell: (row) => <Identifier value={row.id} name={t('userId')} href={paths.user(row)} />,
    },
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
    {
      key: 'createdAt',
      title: t('columns.createdAt'),
      skeleton: 112,
      card: 'line',
      cell: ({ createdAt }) => <DateTime time={createdAt} />,
      sort: {
        direction: sort === 'oldest' ? 'ascending' : 'descending',
        press: () => change({ sort: sort === 'newest' ? 'oldest' : 'newest' }),
      },
    },
  ]
}
