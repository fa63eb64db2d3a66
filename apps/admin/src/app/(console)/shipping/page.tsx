import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { FirstReads } from '../../../api-client/first-reads.tsx'
import { shipmentListQueryOf, shippingParsers } from '../../../features/shipping/shipping-params.ts'
import { ShippingView } from '../../../features/shipping/shipping-view.tsx'

const loadParams = createLoader(shippingParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shipping')
  return { title: t('title') }
}

export default async function ShippingPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = shipmentListQueryOf(await loadParams(searchParams))
  return (
    <FirstReads
      of={({ trpc, fetch }) => [
        fetch(trpc.shipping.waiting.queryOptions(query)),
        fetch(trpc.shipping.frozen.queryOptions()),
      ]}
    >
      <ShippingView />
    </FirstReads>
  )
}
