import type { AppRouter } from '@meridian/api/router'
import { StaffReference } from '@meridian/contracts'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../../api-client/api-calls.ts'
import { firstRead } from '../../../../api-client/first-read.ts'
import { MemberView } from '../../../../features/staff/member-view.tsx'

type Props = { params: Promise<{ operatorId: string }> }

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('staff')
  return { title: t('memberTitle') }
}

export default async function StaffMemberPage({ params }: Props) {
  const reference = StaffReference.safeParse(await params)
  if (!reference.success) notFound()
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.staff.detail.queryOptions(reference.data)))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <MemberView operatorId={reference.data.operatorId} />
    </HydrationBoundary>
  )
}
