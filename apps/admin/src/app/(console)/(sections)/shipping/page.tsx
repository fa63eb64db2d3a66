import { addresses } from '../../../../addresses.ts'
import { ShipmentList } from '../../../../features/shipping/shipment-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('shipping.title'),
  address: addresses.shipping,
  nouns: ['shipping'],
  reads: ({ trpc, fetch }, params) => [
    fetch(trpc.shipping.waiting.queryOptions(addresses.shipping.queryOf(params))),
    fetch(trpc.shipping.frozen.queryOptions()),
  ],
  View: ShipmentList,
})

export { generateMetadata, page as default }
