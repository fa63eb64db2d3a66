import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import { reportListParsers, reportListQueryOf } from '../../../features/reports/report-list-params.ts'
import { ReportsView } from '../../../features/reports/reports-view.tsx'

const loadParams = createLoader(reportListParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('reports')
  return { title: t('title') }
}

export default async function ReportsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = reportListQueryOf(await loadParams(searchParams))
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.report.list.queryOptions(query)))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ReportsView />
    </HydrationBoundary>
  )
}
