import { SubscriptionReference } from '@meridian/contracts'
import { SubscriptionView } from '../../../../../features/subscriptions/detail/subscription-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: SubscriptionReference,
  title: (t, { userId }) => t('subscriptions.detailTitle', { userId: truncateMiddle(userId) }),
  nouns: ['alerts', 'approvals', 'order', 'orders', 'related', 'subscriptions'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.subscription.detail.queryOptions(reference))],
  View: SubscriptionView,
})

export { generateMetadata, page as default }
