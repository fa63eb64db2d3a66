import { NotificationReference } from '@meridian/contracts'
import { NotificationView } from '../../../../../features/notifications/detail/notification-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: NotificationReference,
  title: (t, { id }) => t('notifications.detailTitle', { id: truncateMiddle(id) }),
  nouns: ['mismatch', 'notifications', 'order', 'orders', 'related'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.notification.detail.queryOptions(reference))],
  View: NotificationView,
})

export { generateMetadata, page as default }
