import { addresses, rejectedQueryOf } from '../../../../addresses.ts'
import { NotificationDesk } from '../../../../features/notifications/notification-desk.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('notifications.title'),
  address: addresses.notifications,
  nouns: ['notifications', 'order'],
  reads: ({ trpc, fetch }, params) =>
    params.view === 'rejected'
      ? [fetch(trpc.notification.rejected.queryOptions(rejectedQueryOf(params)))]
      : [
          fetch(trpc.notification.list.queryOptions(addresses.notifications.queryOf(params))),
          fetch(trpc.notification.count.queryOptions(addresses.notifications.filterOf(params))),
        ],
  View: NotificationDesk,
})

export { generateMetadata, page as default }
