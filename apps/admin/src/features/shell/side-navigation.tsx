'use client'

import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { rolesWith, useConsole } from '../../session/operator-context.tsx'
import { Icon } from '../../ui/icon.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import { isOn, mayOpen, navigationGroups, type PageEntry } from './navigation.ts'
import styles from './shell.module.css'
import { useWaitingInFrame, type Waiting } from './use-waiting.ts'

type EntryProps = { entry: PageEntry; waiting: Waiting; onNavigate?: (() => void) | undefined }

/** The entry of a page that would show nothing to this operator: greyed, and it says why. */
function ClosedEntry({ entry: { key, icon, permission } }: Pick<EntryProps, 'entry'>) {
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
        <Icon name={icon} size={18} />
        {t(`pages.${key}`)}
      </button>
      <VisuallyHidden>
        <span id={id}>{reason}</span>
      </VisuallyHidden>
    </>
  )
}

/** One page of the side navigation, with how much waits there. */
function NavigationEntry({ entry, waiting, onNavigate }: EntryProps) {
  const t = useTranslations('shell')
  const pathname = usePathname()
  const { role } = useConsole().operator
  const id = useId()
  const { key, icon, href } = entry
  if (!mayOpen(entry, role)) return <ClosedEntry entry={entry} />
  const count = key === 'alerts' || key === 'approvals' ? waiting[key] : null
  return (
    <>
      <Link
        href={href}
        aria-current={isOn(href, pathname) ? 'page' : undefined}
        aria-describedby={count ? id : undefined}
        {...(onNavigate && { onClick: onNavigate })}
      >
        <Icon name={icon} size={18} />
        {t(`pages.${key}`)}
        {count && (
          <span className={`${layout['count']} ${styles['count']}`} data-tone={key} aria-hidden="true">
            {count}
          </span>
        )}
      </Link>
      {count && (
        <VisuallyHidden>
          <span id={id}>{t('waitingCount', { waiting: count })}</span>
        </VisuallyHidden>
      )}
    </>
  )
}

/** The pages of the console, group by group. */
export function SideNavigation({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTranslations('shell')
  const waiting = useWaitingInFrame()
  return (
    <nav aria-label={t('navigation')} className={styles['navigation']}>
      {navigationGroups().map(({ group, pages }) => (
        <section key={group} aria-label={t(`groups.${group}`)}>
          {pages.length > 1 && <h2 className={styles['group']}>{t(`groups.${group}`)}</h2>}
          <ul>
            {pages.map((entry) => (
              <li key={entry.key}>
                <NavigationEntry entry={entry} waiting={waiting} onNavigate={onNavigate} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
