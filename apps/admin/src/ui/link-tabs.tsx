'use client'

import { useTranslations } from 'next-intl'
import type { MouseEvent } from 'react'
import { useAnnounce } from './announcer.tsx'
import layout from './layout.module.css'
import styles from './link-tabs.module.css'

type LinkTab = {
  key: string
  label: string
  /** How much there is behind it; null while that is being counted. */
  count?: string | null | undefined
  href: string
  current: boolean
  choose: () => void
}

/**
 * Views of one list: an ordinary press changes the view in place, and each can be opened as an address. Without a
 * network the rows of another view cannot be read: the one that is shown stays lit, and one is told why.
 */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly LinkTab[] }) {
  const t = useTranslations('ui')
  const announce = useAnnounce()
  const press = (event: MouseEvent, choose: () => void) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    if (navigator.onLine) choose()
    else announce(t('offlineView'))
  }
  return (
    <nav className={styles['tabs']} aria-label={label}>
      <ul>
        {tabs.map(({ key, label: text, count, href, current, choose }) => (
          <li key={key}>
            <a
              href={href}
              aria-current={current ? 'true' : undefined}
              onClick={(event) => press(event, choose)}
            >
              {text}
              {count !== undefined && (
                <>
                  {' '}
                  <span
                    className={`${layout['count']} ${styles['count']}`}
                    data-waiting={count === null || undefined}
                  >
                    {count}
                  </span>
                </>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
