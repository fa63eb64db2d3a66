import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import { staffListParsers, staffListQueryOf } from '../../../features/staff/staff-list-params.ts'
import { StaffView } from '../../../features/staff/staff-view.tsx'

const loadParams = createLoader(staffListParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('staff')
  return { title: t('title') }
}

export default async function StaffPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = staffListQueryOf(await loadParams(searchParams))
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await Promise.all([
    firstRead(queryClient.fetchQuery(trpc.staff.list.queryOptions(query))),
    queryClient.prefetchQuery(trpc.staff.signInFailures.queryOptions()),
  ])
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <StaffView />
    </HydrationBoundary>
  )
}
