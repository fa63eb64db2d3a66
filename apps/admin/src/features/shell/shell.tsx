import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { OfflineBanner } from '../../ui/notice.tsx'
import { Brand } from './brand.tsx'
import { Header } from './header.tsx'
import styles from './shell.module.css'
import { SideNavigation } from './side-navigation.tsx'

/** What stands round every page. */
export function Shell({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  return (
    <div className={styles['shell']}>
      <a href="#main" className={styles['skip']}>
        {t('skip')}
      </a>
      <aside className={styles['side']}>
        <div className={styles['sideBrand']}>
          <Brand />
        </div>
        <SideNavigation />
      </aside>
      <Header />
      <main id="main" tabIndex={-1} className={styles['main']}>
        <OfflineBanner />
        <div className={styles['page']}>{children}</div>
      </main>
    </div>
  )
}
