import type { AppRouter } from '@meridian/api/router'
import { DeviceReference } from '@meridian/contracts'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../../api-client/api-calls.ts'
import { firstRead } from '../../../../api-client/first-read.ts'
import { DeviceView } from '../../../../features/devices/detail/device-view.tsx'

type Props = { params: Promise<{ serialNumber: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('devices')
  return { title: t('detailTitle', { serialNumber: (await params).serialNumber }) }
}

export default async function DevicePage({ params }: Props) {
  const reference = DeviceReference.safeParse(await params)
  if (!reference.success) notFound()
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.device.detail.queryOptions(reference.data)))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <DeviceView serialNumber={reference.data.serialNumber} />
    </HydrationBoundary>
  )
}
