import { UserReference } from '@meridian/contracts'
import { UserView } from '../../../../../features/users/detail/user-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: UserReference,
  title: (t, { id }) => t('users.detailTitle', { userId: truncateMiddle(id) }),
  nouns: [
    'alerts',
    'devices',
    'feed',
    'notes',
    'order',
    'orders',
    'reports',
    'subscriptions',
    'tags',
    'users',
  ],
  reads: ({ trpc, fetch }, reference) => [
    fetch(trpc.user.detail.queryOptions(reference)),
    fetch(trpc.tag.of.queryOptions({ subject: { kind: 'user', id: reference.id } })),
    fetch(trpc.customer.money.queryOptions(reference)),
    fetch(trpc.subscription.detail.queryOptions({ userId: reference.id })),
  ],
  View: UserView,
})

export { generateMetadata, page as default }
