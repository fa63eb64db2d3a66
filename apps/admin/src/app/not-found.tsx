import { useTranslations } from 'next-intl'
import { paths } from '../paths.ts'
import { BlankSlate } from '../ui/blank-slate.tsx'
import { Link } from '../ui/link.tsx'

export default function NotFound() {
  const t = useTranslations('ui')
  return (
    <main>
      <BlankSlate
        level="h1"
        icon="search"
        title={t('notFound')}
        hint={t('notFoundHint')}
        action={<Link href={paths.home()}>{t('backHome')}</Link>}
      />
    </main>
  )
}
