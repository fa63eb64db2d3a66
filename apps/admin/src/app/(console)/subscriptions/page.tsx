import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import {
  subscriptionListParsers,
  subscriptionListQueryOf,
} from '../../../features/subscriptions/subscription-list-params.ts'
import { SubscriptionsView } from '../../../features/subscriptions/subscriptions-view.tsx'

const loadParams = createLoader(subscriptionListParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('subscriptions')
  return { title: t('title') }
}

export default async function SubscriptionsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = subscriptionListQueryOf(await loadParams(searchParams))
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await Promise.all([
    firstRead(queryClient.fetchQuery(trpc.subscription.list.queryOptions(query))),
    firstRead(queryClient.fetchQuery(trpc.subscription.requests.queryOptions())),
  ])
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <SubscriptionsView />
    </HydrationBoundary>
  )
}
