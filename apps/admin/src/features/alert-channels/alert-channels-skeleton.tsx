import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'

export function AlertChannelsSkeleton() {
  return <ListSkeleton title={useTranslations('alertChannels')('title')} />
}
