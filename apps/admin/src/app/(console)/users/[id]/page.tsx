import type { AppRouter } from '@meridian/api/router'
import { UserReference } from '@meridian/contracts'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../../api-client/api-calls.ts'
import { firstRead } from '../../../../api-client/first-read.ts'
import { UserView } from '../../../../features/users/detail/user-view.tsx'
import { truncateMiddle } from '../../../../format.ts'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('users')
  return { title: t('detailTitle', { userId: truncateMiddle((await params).id) }) }
}

export default async function UserPage({ params }: Props) {
  const reference = UserReference.safeParse(await params)
  if (!reference.success) notFound()
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.user.detail.queryOptions(reference.data)))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <UserView id={reference.data.id} />
    </HydrationBoundary>
  )
}
