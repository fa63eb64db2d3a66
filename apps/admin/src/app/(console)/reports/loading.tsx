import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'

export default function ReportsLoading() {
  return <ListSkeleton title={useTranslations('reports')('title')} />
}
