import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'

export function AlertsSkeleton() {
  return <ListSkeleton title={useTranslations('alerts')('title')} />
}
