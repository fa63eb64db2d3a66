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
import { OpenRequests } from './open-requests.tsx'
import { useSubscriptionColumns } from './subscription-columns.tsx'
import { FreshChip, SubscriptionFilters, SubscriptionTabs } from './subscription-filters.tsx'
import {
  hasFilters,
  type SubscriptionListParams,
  subscriptionFilterOf,
  subscriptionListQueryOf,
} from './subscription-list-params.ts'
import { type SubscriptionListState, useSubscriptionList } from './use-subscription-list.ts'

function Count({ params }: { params: SubscriptionListParams }) {
  const t = useTranslations('subscriptions')
  const trpc = useTRPC()
  const rows = useQuery({
    ...trpc.subscription.count.queryOptions(subscriptionFilterOf(params)),
    placeholderData: keepPreviousData,
  })
  if (rows.isError) return <span>{t('countFailed')}</span>
  if (!rows.data) return <Skeleton width={80} />
  return rows.data.more
    ? t('countMore', { count: EXACT_COUNT_LIMIT })
    : t('count', { count: rows.data.count })
}

function Empty({ list }: { list: SubscriptionListState }) {
  const t = useTranslations('subscriptions')
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

function SubscriptionTable({ list }: { list: SubscriptionListState }) {
  const t = useTranslations('subscriptions')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const page = useQuery({
    ...trpc.subscription.list.queryOptions(subscriptionListQueryOf(list.params)),
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
      columns={useSubscriptionColumns(list)}
      rows={page.data?.items}
      rowKey={(row) => row.userId}
      rowHref={paths.subscription}
      busy={page.isFetching && (page.isPending || page.isPlaceholderData)}
      failure={failureOf(page.error)}
      onRetry={() => void page.refetch()}
      empty={<Empty list={list} />}
      turns={turns}
    />
  )
}

/** The list of subscriptions, and above it what waits for a second person. */
export function SubscriptionsView() {
  const t = useTranslations('subscriptions')
  const list = useSubscriptionList()
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={<Count params={list.params} />}
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
