import type { AppRouter } from '@meridian/api/router'
import { AuditReference } from '@meridian/contracts'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../../api-client/api-calls.ts'
import { firstRead } from '../../../../api-client/first-read.ts'
import { AuditEntryView } from '../../../../features/audit/audit-entry-view.tsx'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('audit')
  return { title: t('entryTitle') }
}

export default async function AuditEntryPage({ params }: Props) {
  const reference = AuditReference.safeParse(await params)
  if (!reference.success) notFound()
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.audit.detail.queryOptions(reference.data)))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <AuditEntryView id={reference.data.id} />
    </HydrationBoundary>
  )
}
