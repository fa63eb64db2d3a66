import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../../../paths.ts'
import { BlankSlate } from '../../../../ui/blank-slate.tsx'

export default function SubscriptionNotFound() {
  const t = useTranslations('subscriptions')
  return (
    <BlankSlate
      level="h1"
      icon="search"
      title={t('notFound')}
      hint={t('notFoundHint')}
      action={<Link href={paths.subscriptions()}>{t('back')}</Link>}
    />
  )
}
