import { developerAddresses } from '../../../../../developer-addresses.ts'
import { WebhookList } from '../../../../../features/webhooks/webhook-list.tsx'
import { listPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(developerAddresses.webhooks, (t) => t('webhooks.title'), {
  nouns: ['webhooks'],
  reads: ({ trpc, fetch }, { query }) => [fetch(trpc.webhooks.list.queryOptions(query))],
  View: WebhookList,
})

export { generateMetadata, page as default }
