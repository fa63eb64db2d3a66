import { addresses } from '../../../../addresses.ts'
import { ShipmentList } from '../../../../features/shipping/shipment-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.shipping, (t) => t('shipping.title'), {
  nouns: ['shipping'],
  reads: ({ trpc, fetch }, { query }) => [
    fetch(trpc.shipping.waiting.queryOptions(query)),
    fetch(trpc.shipping.frozen.queryOptions()),
  ],
  View: ShipmentList,
})

export { generateMetadata, page as default }
