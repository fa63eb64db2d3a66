import { addresses } from '../../../../addresses.ts'
import { rejectedQueryOf } from '../../../../desk-addresses.ts'
import { NotificationDesk } from '../../../../features/notifications/notification-desk.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.notifications, (t) => t('notifications.title'), {
  nouns: ['notifications', 'order'],
  reads: ({ trpc, fetch }, { params, query, filter }) =>
    params.view === 'rejected'
      ? [fetch(trpc.notification.rejected.queryOptions(rejectedQueryOf(params)))]
      : [
          fetch(trpc.notification.list.queryOptions(query)),
          fetch(trpc.notification.count.queryOptions(filter)),
        ],
  View: NotificationDesk,
})

export { generateMetadata, page as default }
