import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import { userListParsers, userListQueryOf } from '../../../features/users/user-list-params.ts'
import { UsersView } from '../../../features/users/users-view.tsx'

const loadParams = createLoader(userListParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('users')
  return { title: t('title') }
}

export default async function UsersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = userListQueryOf(await loadParams(searchParams))
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.user.list.queryOptions(query)))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <UsersView />
    </HydrationBoundary>
  )
}
