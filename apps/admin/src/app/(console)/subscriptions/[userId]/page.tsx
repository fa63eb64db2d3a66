import type { AppRouter } from '@meridian/api/router'
import { SubscriptionReference } from '@meridian/contracts'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../../api-client/api-calls.ts'
import { firstRead } from '../../../../api-client/first-read.ts'
import { SubscriptionView } from '../../../../features/subscriptions/detail/subscription-view.tsx'
import { truncateMiddle } from '../../../../format.ts'

type Props = { params: Promise<{ userId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('subscriptions')
  return { title: t('detailTitle', { userId: truncateMiddle((await params).userId) }) }
}

export default async function SubscriptionPage({ params }: Props) {
  const reference = SubscriptionReference.safeParse(await params)
  if (!reference.success) notFound()
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.subscription.detail.queryOptions(reference.data)))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <SubscriptionView userId={reference.data.userId} />
    </HydrationBoundary>
  )
}
