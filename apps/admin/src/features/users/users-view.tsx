'use client'

import { EXACT_COUNT_LIMIT } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ExportButton } from '../lists/export-button.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { type UserListState, useUserList } from './use-user-list.ts'
import { useUserColumns } from './user-columns.tsx'
import { UserFilters, UserTabs } from './user-filters.tsx'
import { hasFilters, type UserListParams, userFilterOf, userListQueryOf } from './user-list-params.ts'

function Count({ params }: { params: UserListParams }) {
  const t = useTranslations('users')
  const trpc = useTRPC()
  const rows = useQuery({
    ...trpc.user.count.queryOptions(userFilterOf(params)),
    placeholderData: keepPreviousData,
  })
  if (rows.isError) return <span>{t('countFailed')}</span>
  if (!rows.data) return <Skeleton width={80} />
  return rows.data.more
    ? t('countMore', { count: EXACT_COUNT_LIMIT })
    : t('count', { count: rows.data.count })
}

function Empty({ list }: { list: UserListState }) {
  const t = useTranslations('users')
  return hasFilters(list.params) || list.params.cursor !== null ? (
    <BlankSlate
      icon="search"
      title={t('noMatchTitle')}
      hint={t('noMatchHint')}
      action={<Button onClick={list.clear}>{t('clear')}</Button>}
    />
  ) : (
    <BlankSlate icon="inbox" title={t('emptyTitle')} hint={t('emptyHint')} />
  )
}

function UserTable({ list }: { list: UserListState }) {
  const t = useTranslations('users')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const page = useQuery({
    ...trpc.user.list.queryOptions(userListQueryOf(list.params)),
    placeholderData: keepPreviousData,
  })
  const { previousCursor, nextCursor } = page.data ?? { previousCursor: null, nextCursor: null }
  const { turnTo } = list
  const turns = useMemo(
    () => ({
      previous: previousCursor === null ? null : () => turnTo(previousCursor),
      next: nextCursor === null ? null : () => turnTo(nextCursor),
    }),
    [previousCursor, nextCursor, turnTo],
  )
  return (
    <DataTable
      caption={t('caption')}
      columns={useUserColumns(list)}
      rows={page.data?.items}
      rowKey={(row) => row.id}
      rowHref={paths.user}
      busy={page.isFetching && (page.isPending || page.isPlaceholderData)}
      failure={failureOf(page.error)}
      onRetry={() => void page.refetch()}
      empty={<Empty list={list} />}
      turns={turns}
    />
  )
}

/** The list of the people who use the mini-program. */
export function UsersView() {
  const t = useTranslations('users')
  const list = useUserList()
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={<Count params={list.params} />}
        actions={
          <ExportButton name="users" query={{ ...userFilterOf(list.params), sort: list.params.sort }} />
        }
      />
      <SavedViews />
      <Panel>
        <UserTabs list={list} />
        <UserFilters list={list} />
        <UserTable list={list} />
      </Panel>
    </>
  )
}
