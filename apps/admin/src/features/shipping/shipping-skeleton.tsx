import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'

export function ShippingSkeleton() {
  return <ListSkeleton title={useTranslations('shipping')('title')} />
}
