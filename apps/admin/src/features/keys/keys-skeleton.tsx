import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'

export function KeysSkeleton() {
  return <ListSkeleton title={useTranslations('keys')('title')} />
}
