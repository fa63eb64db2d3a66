'use client'

import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { rolesWith, useConsole } from '../../session/operator-context.tsx'
import { Icon } from '../../ui/icon.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import { countOf } from './group-count.ts'
import styles from './navigation.module.css'
import { FIRST_GROUP, isOn, mayOpen, type PageEntry } from './navigation.ts'
import type { Waiting } from './use-waiting.ts'

/** How much waits: the number for the eye. What is read out stands beside the entry. */
export function WaitingCount({ count, tone }: { count: string; tone: string }) {
  return (
    <span className={`${layout['count']} ${styles['count']}`} data-tone={tone} aria-hidden="true">
      {count}
    </span>
  )
}

/** The entry of a page that would show nothing to this operator: greyed, and it says why. */
function ClosedEntry({ entry: { key, permission } }: { entry: PageEntry }) {
  const t = useTranslations('shell')
  const id = useId()
  const allowed = permission ? rolesWith(permission).map((role) => t(`roles.${role}`)) : []
  const reason = t('pageForbidden', { allowed: allowed.join(' / ') })
  return (
    <>
      <button
        type="button"
        className={styles['closed']}
        aria-disabled="true"
        aria-describedby={id}
        title={reason}
      >
        <span className={styles['word']}>{t(`pages.${key}`)}</span>
        <Icon name="lock" size={13} />
      </button>
      <VisuallyHidden>
        <span id={id}>{reason}</span>
      </VisuallyHidden>
    </>
  )
}

type NavigationEntryProps = { entry: PageEntry; waiting: Waiting; onNavigate?: (() => void) | undefined }

/** One page of the side navigation, with how much waits there. */
export function NavigationEntry({ entry, waiting, onNavigate }: NavigationEntryProps) {
  const t = useTranslations('shell')
  const pathname = usePathname()
  const { role } = useConsole().operator
  const id = useId()
  const { key, group, icon, href } = entry
  if (!mayOpen(entry, role)) return <ClosedEntry entry={entry} />
  const count = countOf(key, waiting)
  return (
    <>
      <Link
        href={href}
        title={group === FIRST_GROUP ? t(`pages.${key}`) : undefined}
        aria-current={isOn(href, pathname) ? 'page' : undefined}
        aria-describedby={count ? id : undefined}
        {...(onNavigate && { onClick: onNavigate })}
      >
        {group === FIRST_GROUP && <Icon name={icon} size={18} />}
        <span className={styles['word']}>{t(`pages.${key}`)}</span>
        {count && <WaitingCount count={count} tone={key} />}
      </Link>
      {count && (
        <VisuallyHidden>
          <span id={id}>{t('waitingCount', { waiting: count })}</span>
        </VisuallyHidden>
      )}
    </>
  )
}
