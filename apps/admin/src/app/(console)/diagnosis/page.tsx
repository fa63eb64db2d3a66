import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import { DiagnosisView } from '../../../features/diagnosis/diagnosis-view.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('diagnosis')
  return { title: t('title') }
}

export default async function DiagnosisPage() {
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.diagnosis.desk.queryOptions()))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <DiagnosisView />
    </HydrationBoundary>
  )
}
