import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'

export function RefundsSkeleton() {
  return <ListSkeleton title={useTranslations('refunds')('title')} />
}
