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
import { OpenRequests } from './open-requests.tsx'
import { useSubscriptionColumns } from './subscription-columns.tsx'
import { FreshChip, SubscriptionFilters, SubscriptionTabs } from './subscription-filters.tsx'
import {
  noFilters,
  type SubscriptionListState,
  subscriptionFilterOf,
  subscriptionListParsers,
  subscriptionListQueryOf,
} from './subscription-list-params.ts'

function SubscriptionTable({ list }: { list: SubscriptionListState }) {
  const t = useTranslations('subscriptions')
  const trpc = useTRPC()
  return (
    <DataTable
      name="subscriptions"
      caption={t('caption')}
      columns={useSubscriptionColumns(list)}
      rowKey={(row) => row.userId}
      rowHref={paths.subscription}
      empty={<EmptyList t={t} list={list} />}
      {...useListPage(trpc.subscription.list.queryOptions(subscriptionListQueryOf(list.params)))}
    />
  )
}

/** The list of subscriptions, and above it what waits for a second person. */
export function SubscriptionsView() {
  const t = useTranslations('subscriptions')
  const trpc = useTRPC()
  const list = useListState(subscriptionListParsers, noFilters)
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={
          <ListCount
            t={t}
            failed={t('countFailed')}
            query={trpc.subscription.count.queryOptions(subscriptionFilterOf(list.params))}
          />
        }
        actions={
          <ExportButton
            name="subscriptions"
            query={{ ...subscriptionFilterOf(list.params), sort: list.params.sort }}
          />
        }
      />
      <OpenRequests />
      <SavedViews />
      <Panel>
        <SubscriptionTabs list={list} />
        <SubscriptionFilters list={list} />
        <FreshChip list={list} />
        <SubscriptionTable list={list} />
      </Panel>
    </>
  )
}
