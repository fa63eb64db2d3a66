import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'

export function UsersSkeleton() {
  return <ListSkeleton title={useTranslations('users')('title')} />
}
