import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import { orderListParsers, orderListQueryOf } from '../../../features/orders/order-list-params.ts'
import { OrdersView } from '../../../features/orders/orders-view.tsx'

const loadParams = createLoader(orderListParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('orders')
  return { title: t('title') }
}

export default async function OrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = orderListQueryOf(await loadParams(searchParams))
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await Promise.all([
    firstRead(queryClient.fetchQuery(trpc.order.list.queryOptions(query))),
    firstRead(queryClient.fetchQuery(trpc.plan.list.queryOptions())),
  ])
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <OrdersView />
    </HydrationBoundary>
  )
}
