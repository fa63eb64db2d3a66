import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'

export default function AuditLoading() {
  return <ListSkeleton title={useTranslations('audit')('title')} />
}
