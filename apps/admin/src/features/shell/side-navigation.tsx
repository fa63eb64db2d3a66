'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Icon } from '../../ui/icon.tsx'
import { isOn, navigationGroups } from './navigation.ts'
import styles from './side-navigation.module.css'

/** The pages of the console, group by group. */
export function SideNavigation({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTranslations('shell')
  const pathname = usePathname()
  return (
    <nav aria-label={t('navigation')} className={styles['navigation']}>
      {navigationGroups().map(({ group, pages }) => (
        <section key={group} aria-label={t(`groups.${group}`)}>
          {pages.length > 1 && <h2 className={styles['group']}>{t(`groups.${group}`)}</h2>}
          <ul>
            {pages.map(({ key, icon, href }) => (
              <li key={key}>
                <Link
                  href={href}
                  aria-current={isOn(href, pathname) ? 'page' : undefined}
                  {...(onNavigate && { onClick: onNavigate })}
                >
                  <Icon name={icon} size={18} />
                  {t(`pages.${key}`)}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
