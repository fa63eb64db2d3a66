import { WebhookDeliveryReference } from '@meridian/contracts'
import { DeliveryView } from '../../../../../../features/webhooks/delivery-view.tsx'
import { detailPage } from '../../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: WebhookDeliveryReference,
  title: (t, { id }) => t('webhooks.delivery.title', { id }),
  nouns: ['webhooks'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.webhooks.delivery.queryOptions(reference))],
  View: DeliveryView,
})

export { generateMetadata, page as default }
