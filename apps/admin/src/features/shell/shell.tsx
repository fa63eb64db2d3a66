import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { OfflineBanner } from '../../ui/notice.tsx'
import { FileNews } from '../exports/file-news.tsx'
import { Header } from './header.tsx'
import type { NavigationForm } from './navigation-form.ts'
import styles from './shell.module.css'
import { SidePanel } from './side-panel.tsx'
import { TitleCount } from './title-count.tsx'

/** What stands round every page. */
export function Shell({ navigation, children }: { navigation: NavigationForm; children: ReactNode }) {
  const t = useTranslations('shell')
  return (
    <div className={styles['shell']}>
      <TitleCount />
      <FileNews />
      <a href="#main" className={styles['skip']}>
        {t('skip')}
      </a>
      <SidePanel form={navigation} />
      <Header />
      <main id="main" tabIndex={-1} className={styles['main']}>
        <OfflineBanner />
        <div className={styles['page']}>{children}</div>
      </main>
    </div>
  )
}
