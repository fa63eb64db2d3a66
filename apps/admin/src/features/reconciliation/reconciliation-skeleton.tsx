import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'

export function ReconciliationSkeleton() {
  return <ListSkeleton title={useTranslations('reconciliation')('title')} />
}
