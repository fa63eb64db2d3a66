import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { ReactNode } from 'react'
import { apiForThisOperator } from '../../api-client/api-calls.ts'
import { firstRead } from '../../api-client/first-read.ts'
import { type Noun, PageMessages } from '../../messages/page-messages.tsx'

type Reading = { trpc: TRPCOptionsProxy<AppRouter>; fetch: QueryClient['fetchQuery'] }

type ConsolePageProps = {
  /** Whose words the page shows in the browser. */
  nouns: readonly Noun[]
  /** What it shows first; what fails shows its own error in the page. */
  reads?: (reading: Reading) => Promise<unknown>[]
  children: ReactNode
}

async function FirstReads({
  of,
  children,
}: {
  of: NonNullable<ConsolePageProps['reads']>
  children: ReactNode
}) {
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await Promise.all(of({ trpc, fetch: queryClient.fetchQuery.bind(queryClient) }).map(firstRead))
  return <HydrationBoundary state={dehydrate(queryClient)}>{children}</HydrationBoundary>
}

/** A page with its words; what it shows first is awaited and handed to the browser with it. */
export const ConsolePage = ({ nouns, reads, children }: ConsolePageProps) => (
  <PageMessages nouns={nouns}>
    {reads ? <FirstReads of={reads}>{children}</FirstReads> : children}
  </PageMessages>
)
