'use client'

import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import bar from '../../ui/filter-bar.module.css'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyList } from '../lists/empty-list.tsx'
import { ListCount } from '../lists/list-count.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { useListState } from '../lists/use-list-state.ts'
import { SavedViews } from '../views/saved-views.tsx'
import { useNotificationColumns } from './notification-columns.tsx'
import { NotificationDates } from './notification-dates.tsx'
import {
  type NotificationListState,
  noFilters,
  notificationFilterOf,
  notificationListQueryOf,
  notificationParsers,
} from './notification-params.ts'
import { RejectedTable } from './rejected-table.tsx'

function Tabs({ list: { params, change } }: { list: NotificationListState }) {
  const t = useTranslations('notifications')
  const words = useTranslations('order.notificationOutcomes')
  const outcomes = [null, 'applied', 'mismatch', 'order_unknown', 'second_transaction', 'unreadable'] as const
  const inbox = outcomes.map((outcome) => ({
    key: outcome ?? 'all',
    label: outcome === null ? t('all') : words(outcome),
    href: paths.notifications({ ...params, view: 'inbox', outcome, cursor: null }),
    current: params.view === 'inbox' && params.outcome === outcome,
    choose: () => change({ view: 'inbox', outcome }),
  }))
  const rejected = {
    key: 'rejected',
    label: t('rejected'),
    href: paths.notifications({ view: 'rejected' }),
    current: params.view === 'rejected',
    choose: () => change({ ...noFilters, view: 'rejected' }),
  }
  return <LinkTabs label={t('outcomeFilter')} tabs={[...inbox, rejected]} />
}

function Inbox({ list }: { list: NotificationListState }) {
  const t = useTranslations('notifications')
  const trpc = useTRPC()
  return (
    <DataTable
      name="notifications"
      caption={t('caption')}
      columns={useNotificationColumns({ sort: list.params.sort, change: list.change })}
      rowKey={({ id }) => id}
      rowHref={paths.notification}
      empty={<EmptyList t={t} list={list} />}
      {...useListPage(trpc.notification.list.queryOptions(notificationListQueryOf(list.params)))}
    />
  )
}

/** What the platform told us and what became of it; and what came and did not verify. */
export function NotificationsView() {
  const t = useTranslations('notifications')
  const trpc = useTRPC()
  const list = useListState(notificationParsers, noFilters)
  const { params, change } = list
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={
          params.view === 'inbox' && (
            <ListCount
              t={t}
              failed={t('countFailed')}
              query={trpc.notification.count.queryOptions(notificationFilterOf(params))}
            />
          )
        }
      />
      <SavedViews />
      <Panel>
        <Tabs list={list} />
        {params.view === 'rejected' ? (
          <>
            <div className={bar['bar']}>
              <NotificationDates params={params} change={change} />
            </div>
            <RejectedTable params={params} />
          </>
        ) : (
          <>
            <search className={bar['bar']}>
              <SearchField
                label={t('searchLabel')}
                placeholder={t('searchPlaceholder')}
                value={params.q}
                search={(q) => change({ q })}
              />
              <NotificationDates params={params} change={change} />
            </search>
            <Inbox list={list} />
          </>
        )}
      </Panel>
    </>
  )
}
