import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'

export function DevicesSkeleton() {
  return <ListSkeleton title={useTranslations('devices')('title')} />
}
