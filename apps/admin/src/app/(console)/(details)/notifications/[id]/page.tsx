import { NotificationReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { NotificationView } from '../../../../../features/notifications/detail/notification-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props) {
  const t = await getTranslations('notifications')
  return {
    title: t('detailTitle', { id: truncateMiddle((await referenceOf(NotificationReference, params)).id) }),
  }
}

export default async function NotificationPage({ params }: Props) {
  const reference = await referenceOf(NotificationReference, params)
  return (
    <ConsolePage
      nouns={['mismatch', 'notifications', 'order']}
      reads={({ trpc, fetch }) => [fetch(trpc.notification.detail.queryOptions(reference))]}
    >
      <NotificationView id={reference.id} />
    </ConsolePage>
  )
}
