import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses, rejectedQueryOf } from '../../../../addresses.ts'
import { NotificationDesk } from '../../../../features/notifications/notification-desk.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('notifications'))('title') })

export default async function NotificationsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await addresses.notifications.load(searchParams)
  return (
    <ConsolePage
      nouns={['notifications', 'order']}
      reads={({ trpc, fetch }) =>
        params.view === 'rejected'
          ? [fetch(trpc.notification.rejected.queryOptions(rejectedQueryOf(params)))]
          : [
              fetch(trpc.notification.list.queryOptions(addresses.notifications.queryOf(params))),
              fetch(trpc.notification.count.queryOptions(addresses.notifications.filterOf(params))),
            ]
      }
    >
      <NotificationDesk />
    </ConsolePage>
  )
}
