import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'

export default function StaffLoading() {
  return <ListSkeleton title={useTranslations('staff')('title')} />
}
