import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'

export default function ApprovalsLoading() {
  return <ListSkeleton title={useTranslations('approvals')('pageTitle')} />
}
