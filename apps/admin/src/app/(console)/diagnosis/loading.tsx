import { useTranslations } from 'next-intl'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'

export default function DiagnosisLoading() {
  return <ListSkeleton title={useTranslations('diagnosis')('title')} />
}
