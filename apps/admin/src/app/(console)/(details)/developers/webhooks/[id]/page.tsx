import { WebhookReference } from '@meridian/contracts'
import { EndpointView } from '../../../../../../features/webhooks/endpoint-view.tsx'
import { detailPage } from '../../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: WebhookReference,
  title: (t) => t('webhooks.detailTitle'),
  nouns: ['webhooks'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.webhooks.get.queryOptions(reference))],
  View: EndpointView,
})

export { generateMetadata, page as default }
