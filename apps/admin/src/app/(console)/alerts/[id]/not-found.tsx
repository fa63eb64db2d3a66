import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../../../paths.ts'
import { BlankSlate } from '../../../../ui/blank-slate.tsx'

export default function AlertNotFound() {
  const t = useTranslations('alerts')
  return (
    <BlankSlate
      level="h1"
      icon="search"
      title={t('notFound')}
      hint={t('notFoundHint')}
      action={<Link href={paths.alerts()}>{t('back')}</Link>}
    />
  )
}
