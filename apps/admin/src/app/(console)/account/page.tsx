import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import { AccountView } from '../../../features/account/account-view.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account')
  return { title: t('title') }
}

export default async function AccountPage() {
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.operator.account.queryOptions()))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <AccountView />
    </HydrationBoundary>
  )
}
