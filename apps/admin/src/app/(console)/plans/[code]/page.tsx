import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../../api-client/api-calls.ts'
import { firstRead } from '../../../../api-client/first-read.ts'
import { PlanView } from '../../../../features/plans/plan-view.tsx'

type Props = { params: Promise<{ code: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('plans')
  return { title: t('detailTitle', { code: (await params).code }) }
}

export default async function PlanPage({ params }: Props) {
  const { code } = await params
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.plan.detail.queryOptions({ code })))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <PlanView code={code} />
    </HydrationBoundary>
  )
}
