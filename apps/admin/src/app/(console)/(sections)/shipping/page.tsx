import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses } from '../../../../addresses.ts'
import { ShipmentList } from '../../../../features/shipping/shipment-list.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('shipping'))('title') })

export default async function ShippingPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = addresses.shipping.queryOf(await addresses.shipping.load(searchParams))
  return (
    <ConsolePage
      nouns={['shipping']}
      reads={({ trpc, fetch }) => [
        fetch(trpc.shipping.waiting.queryOptions(query)),
        fetch(trpc.shipping.frozen.queryOptions()),
      ]}
    >
      <ShipmentList />
    </ConsolePage>
  )
}
