import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import { auditListParsers, auditListQueryOf } from '../../../features/audit/audit-list-params.ts'
import { AuditView } from '../../../features/audit/audit-view.tsx'

const loadParams = createLoader(auditListParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('audit')
  return { title: t('title') }
}

export default async function AuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = auditListQueryOf(await loadParams(searchParams))
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.audit.list.queryOptions(query)))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <AuditView />
    </HydrationBoundary>
  )
}
