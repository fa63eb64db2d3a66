'use client'

import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { Link } from '../../ui/link.tsx'
import { isOn } from './navigation.ts'

type Kind = { href: string; title: string; hint: string; back: string }

/**
 * Says what is not there and leads to its list. The browser chooses the kind: it keeps this from page to page, and the
 * server has rendered it for the first of them only.
 */
export function Missing({ kinds }: { kinds: readonly Kind[] }) {
  const t = useTranslations('ui')
  const pathname = usePathname()
  const { title, hint, href, back } = kinds.find((kind) => isOn(kind.href, pathname)) ?? {
    title: t('notFound'),
    hint: t('notFoundHint'),
    href: paths.home(),
    back: t('backHome'),
  }
  return (
    <BlankSlate level="h1" icon="search" title={title} hint={hint} action={<Link href={href}>{back}</Link>} />
  )
}
