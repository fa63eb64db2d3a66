'use client'

import type { Checklist, ChecklistStepName, Permission } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { Link } from '../../ui/link.tsx'
import styles from './checklist.module.css'

type Place = {
  word: 'phone' | 'orders' | 'users' | 'staff' | 'plans' | 'channels' | 'keys'
  href: string
  /** Without it the page shows nothing. */
  permission?: Permission
}

/** Where a step is done; on the phone page where there is one. */
const places: Record<ChecklistStepName, Place | null> = {
  credentials: { word: 'keys', href: paths.keys(), permission: 'key.read' },
  plans: { word: 'plans', href: paths.plans() },
  user: { word: 'users', href: paths.users() },
  sale: { word: 'orders', href: paths.orders({ status: 'paid' }) },
  healed: null,
  refund: { word: 'orders', href: paths.orders({ status: 'paid' }) },
  second_person: { word: 'staff', href: paths.staff(), permission: 'operator.manage' },
  alarms: { word: 'channels', href: paths.alertChannels(), permission: 'alert.channels' },
  backup: null,
}

const onPhone: readonly ChecklistStepName[] = ['user', 'sale', 'healed']

type StepLinkProps = { name: ChecklistStepName; isNext: boolean } & Pick<Checklist, 'phoneUrl'>

/** The way to where a step is done; nothing where it is done at no page, or at one that is closed to the role. */
export function StepLink({ name, isNext, phoneUrl }: StepLinkProps) {
  const t = useTranslations('checklist.where')
  const place = places[name]
  const forbidden = useForbidden(place?.permission ?? null)
  const look = { className: styles['go'] ?? '', 'data-next': isNext || undefined }
  if (phoneUrl !== null && onPhone.includes(name))
    return (
      <a {...look} href={phoneUrl} target="_blank" rel="noopener">
        {t('phone')}
      </a>
    )
  if (place === null || forbidden !== null) return null
  return (
    <Link {...look} href={place.href}>
      {t(place.word)}
    </Link>
  )
}
