import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { createLoader, type SearchParams } from 'nuqs/server'
import { FirstReads } from '../../../api-client/first-reads.tsx'
import {
  notificationFilterOf,
  notificationListQueryOf,
  notificationParsers,
  rejectedQueryOf,
} from '../../../features/notifications/notification-params.ts'
import { NotificationsView } from '../../../features/notifications/notifications-view.tsx'

const loadParams = createLoader(notificationParsers)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('notifications')
  return { title: t('title') }
}

export default async function NotificationsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadParams(searchParams)
  return (
    <FirstReads
      of={({ trpc, fetch }) =>
        params.view === 'rejected'
          ? [fetch(trpc.notification.rejected.queryOptions(rejectedQueryOf(params)))]
          : [
              fetch(trpc.notification.list.queryOptions(notificationListQueryOf(params))),
              fetch(trpc.notification.count.queryOptions(notificationFilterOf(params))),
            ]
      }
    >
      <NotificationsView />
    </FirstReads>
  )
}
