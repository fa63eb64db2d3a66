'use client'

import { useTranslations } from 'next-intl'
import { navigationGroups } from './navigation.ts'
import { NavigationEntry } from './navigation-entry.tsx'
import styles from './side-navigation.module.css'
import { useWaitingInFrame } from './use-waiting.ts'

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
