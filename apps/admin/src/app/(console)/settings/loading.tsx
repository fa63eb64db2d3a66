import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'

export default function SettingsLoading() {
  return <ListSkeleton title={useTranslations('settings')('title')} />
}
