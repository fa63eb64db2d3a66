'use client'

import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { isOn, navigation } from '../../../features/shell/navigation.ts'
import { AfterPatience } from '../../../ui/after-patience.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'

/** The shape of what most pages of the navigation have, under the name by which one came here. */
export default function SectionLoading() {
  const t = useTranslations('shell')
  const pathname = usePathname()
  const entry = navigation.find(({ href }) => isOn(href, pathname))
  return (
    <AfterPatience>
      <ListSkeleton title={entry ? t(`pages.${entry.key}`) : t('account')} />
    </AfterPatience>
  )
}
