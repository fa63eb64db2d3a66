import { addresses } from '../../../../addresses.ts'
import { SubscriptionList } from '../../../../features/subscriptions/subscription-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('subscriptions.title'),
  address: addresses.subscriptions,
  nouns: ['approvals', 'subscriptions'],
  reads: ({ trpc, fetch }, params) => [
    fetch(trpc.subscription.list.queryOptions(addresses.subscriptions.queryOf(params))),
    fetch(trpc.subscription.requests.queryOptions()),
  ],
  View: SubscriptionList,
})

export { generateMetadata, page as default }
