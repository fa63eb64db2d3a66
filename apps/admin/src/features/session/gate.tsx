import type { ReactNode } from 'react'
import { Brand } from '../shell/brand.tsx'
import { LanguageSwitch, ThemeSwitch } from '../shell/preference-switches.tsx'
import styles from './session.module.css'

/** The pages before the console itself: one form in the middle. */
export function Gate({ children }: { children: ReactNode }) {
  return (
    <div className={styles['gate']}>
      <header className={styles['top']}>
        <Brand />
        <span className={styles['tools']}>
          <LanguageSwitch />
          <ThemeSwitch />
        </span>
      </header>
      <main className={styles['main']}>
        <div className={styles['card']}>{children}</div>
      </main>
    </div>
  )
}
