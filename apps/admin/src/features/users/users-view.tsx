'use client'

import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { EmptyList } from '../lists/empty-list.tsx'
import { ExportButton } from '../lists/export-button.tsx'
import { ListCount } from '../lists/list-count.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { useListState } from '../lists/use-list-state.ts'
import { SavedViews } from '../views/saved-views.tsx'
import { useUserColumns } from './user-columns.tsx'
import { UserFilters, UserTabs } from './user-filters.tsx'
import {
  noFilters,
  type UserListState,
  userFilterOf,
  userListParsers,
  userListQueryOf,
} from './user-list-params.ts'

function UserTable({ list }: { list: UserListState }) {
  const t = useTranslations('users')
  const trpc = useTRPC()
  return (
    <DataTable
      name="users"
      caption={t('caption')}
      columns={useUserColumns(list)}
      rowKey={(row) => row.id}
      rowHref={paths.user}
      empty={<EmptyList t={t} list={list} />}
      {...useListPage(trpc.user.list.queryOptions(userListQueryOf(list.params)))}
    />
  )
}

/** The list of the people who use the mini-program. */
export function UsersView() {
  const t = useTranslations('users')
  const trpc = useTRPC()
  const list = useListState(userListParsers, noFilters)
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={
          <ListCount
            t={t}
            failed={t('countFailed')}
            query={trpc.user.count.queryOptions(userFilterOf(list.params))}
          />
        }
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
