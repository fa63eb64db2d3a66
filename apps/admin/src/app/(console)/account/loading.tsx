import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'

export default function AccountLoading() {
  return <ListSkeleton title={useTranslations('account')('title')} />
}
