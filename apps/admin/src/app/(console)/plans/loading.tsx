import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'

export default function PlansLoading() {
  return <ListSkeleton title={useTranslations('plans')('title')} />
}
