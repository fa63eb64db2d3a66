'use client'

import { EXACT_COUNT_LIMIT } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslations } from 'next-intl'
import { useQueryStates } from 'nuqs'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import bar from '../../ui/filter-bar.module.css'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useCursor } from '../../ui/use-cursor.ts'
import { SavedViews } from '../views/saved-views.tsx'
import { useNotificationColumns } from './notification-columns.tsx'
import { NotificationDates } from './notification-dates.tsx'
import {
  type NotificationParams,
  noNotificationFilters,
  notificationFilterOf,
  notificationListQueryOf,
  notificationParsers,
} from './notification-params.ts'
import { RejectedTable } from './rejected-table.tsx'

type List = { params: NotificationParams; change: (changes: Partial<NotificationParams>) => void }

function Count({ params }: { params: NotificationParams }) {
  const t = useTranslations('notifications')
  const trpc = useTRPC()
  const rows = useQuery({
    ...trpc.notification.count.queryOptions(notificationFilterOf(params)),
    placeholderData: keepPreviousData,
  })
  if (rows.isError) return <span>{t('countFailed')}</span>
  if (!rows.data) return <Skeleton width={80} />
  return rows.data.more
    ? t('countMore', { count: EXACT_COUNT_LIMIT })
    : t('count', { count: rows.data.count })
}

function Tabs({ params, change }: List) {
  const t = useTranslations('notifications')
  const words = useTranslations('order.notificationOutcomes')
  const outcomes = [null, 'applied', 'mismatch', 'order_unknown', 'second_transaction'] as const
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
    choose: () => change({ ...noNotificationFilters, view: 'rejected' }),
  }
  return <LinkTabs label={t('outcomeFilter')} tabs={[...inbox, rejected]} />
}

function Inbox({ params, change }: List) {
  const t = useTranslations('notifications')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const page = useQuery({
    ...trpc.notification.list.queryOptions(notificationListQueryOf(params)),
    placeholderData: keepPreviousData,
  })
  const filtered = params.outcome ?? params.from ?? params.to ?? params.q ?? params.cursor
  const empty =
    filtered === null ? (
      <BlankSlate icon="inbox" title={t('emptyTitle')} hint={t('emptyHint')} />
    ) : (
      <BlankSlate
        icon="search"
        title={t('noMatchTitle')}
        hint={t('noMatchHint')}
        action={<Button onClick={() => change(noNotificationFilters)}>{t('clear')}</Button>}
      />
    )
  return (
    <DataTable
      caption={t('caption')}
      columns={useNotificationColumns({ sort: params.sort, change })}
      rows={page.data?.items}
      rowKey={({ id }) => id}
      rowHref={paths.notification}
      busy={page.isFetching && (page.isPending || page.isPlaceholderData)}
      failure={failureOf(page.error)}
      onRetry={() => void page.refetch()}
      empty={empty}
      turns={useCursor(page.data)}
    />
  )
}

/** What the platform told us and what became of it; and what came and did not verify. */
export function NotificationsView() {
  const t = useTranslations('notifications')
  const [params, setParams] = useQueryStates(notificationParsers, { history: 'push' })
  const change = (changes: Partial<NotificationParams>) => void setParams({ cursor: null, ...changes })
  return (
    <>
      <PageHeader title={t('title')} aside={params.view === 'inbox' && <Count params={params} />} />
      <SavedViews />
      <Panel>
        <Tabs params={params} change={change} />
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
            <Inbox params={params} change={change} />
          </>
        )}
      </Panel>
    </>
  )
}
