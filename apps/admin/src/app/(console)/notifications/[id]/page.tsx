import { NotificationReference } from '@meridian/contracts'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { FirstReads } from '../../../../api-client/first-reads.tsx'
import { NotificationView } from '../../../../features/notifications/detail/notification-view.tsx'
import { truncateMiddle } from '../../../../format.ts'

type Props = { params: Promise<{ id: string }> }

const idOf = async (params: Props['params']) => decodeURIComponent((await params).id)

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('notifications')
  return { title: t('detailTitle', { id: truncateMiddle(await idOf(params)) }) }
}

export default async function NotificationPage({ params }: Props) {
  const reference = NotificationReference.safeParse({ id: await idOf(params) })
  if (!reference.success) notFound()
  return (
    <FirstReads of={({ trpc, fetch }) => [fetch(trpc.notification.detail.queryOptions(reference.data))]}>
      <NotificationView id={reference.data.id} />
    </FirstReads>
  )
}
