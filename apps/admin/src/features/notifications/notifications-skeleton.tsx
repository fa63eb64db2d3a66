import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'

export function NotificationsSkeleton() {
  return <ListSkeleton title={useTranslations('notifications')('title')} />
}
