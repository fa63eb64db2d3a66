import type { AppRouter } from '@meridian/api/router'
import { OrderReference } from '@meridian/contracts'
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../../api-client/api-calls.ts'
import { firstRead } from '../../../../api-client/first-read.ts'
import { OrderView } from '../../../../features/orders/detail/order-view.tsx'
import { truncateMiddle } from '../../../../format.ts'

type Props = { params: Promise<{ outTradeNo: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('order')
  return { title: t('title', { outTradeNo: truncateMiddle((await params).outTradeNo) }) }
}

export default async function OrderPage({ params }: Props) {
  const reference = OrderReference.safeParse(await params)
  if (!reference.success) notFound()
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client: await apiForThisOperator(), queryClient })
  await firstRead(queryClient.fetchQuery(trpc.order.detail.queryOptions(reference.data)))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <OrderView outTradeNo={reference.data.outTradeNo} />
    </HydrationBoundary>
  )
}
