import type { AppRouter } from '@meridian/api/router'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import { deviceListParsers, deviceListQueryOf } from '../../../features/devices/device-list-params.ts'
import { DevicesView } from '../../../features/devices/devices-view.tsx'

const loadParams = createLoader(deviceListParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('devices')
  return { title: t('title') }
}

export default async function DevicesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = deviceListQueryOf(await loadParams(searchParams))
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.device.list.queryOptions(query)))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <DevicesView />
    </HydrationBoundary>
  )
}
