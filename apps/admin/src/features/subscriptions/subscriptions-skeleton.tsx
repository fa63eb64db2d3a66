import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'

export function SubscriptionsSkeleton() {
  return <ListSkeleton title={useTranslations('subscriptions')('title')} />
}
