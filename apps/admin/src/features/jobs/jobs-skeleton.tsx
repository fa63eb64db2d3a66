import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'

export function JobsSkeleton() {
  return <ListSkeleton title={useTranslations('jobs')('title')} />
}
