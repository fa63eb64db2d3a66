import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { ReactNode } from 'react'
import { apiForThisOperator } from './api-calls.ts'
import { firstRead } from './first-read.ts'

type Reading = { trpc: TRPCOptionsProxy<AppRouter>; fetch: QueryClient['fetchQuery'] }

/** Awaits what a page shows first and hands it to the browser with the page; what fails shows its own error there. */
export async function FirstReads({
  of,
  children,
}: {
  of: (reading: Reading) => Promise<unknown>[]
  children: ReactNode
}) {
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await Promise.all(of({ trpc, fetch: queryClient.fetchQuery.bind(queryClient) }).map(firstRead))
  return <HydrationBoundary state={dehydrate(queryClient)}>{children}</HydrationBoundary>
}
