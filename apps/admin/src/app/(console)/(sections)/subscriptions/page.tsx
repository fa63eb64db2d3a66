import { addresses } from '../../../../addresses.ts'
import { SubscriptionList } from '../../../../features/subscriptions/subscription-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.subscriptions, (t) => t('subscriptions.title'), {
  nouns: ['approvals', 'subscriptions'],
  reads: ({ trpc, fetch }, { query }) => [
    fetch(trpc.subscription.list.queryOptions(query)),
    fetch(trpc.subscription.requests.queryOptions()),
  ],
  View: SubscriptionList,
})

export { generateMetadata, page as default }
