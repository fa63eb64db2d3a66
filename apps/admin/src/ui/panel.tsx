import type { ReactNode } from 'react'
import { PanelBoundary } from './failure-panel.tsx'
import styles from './panel.module.css'

/** A sheet of content; with a title it is a section of its own, with padding. */
export function Panel({
  title,
  aside,
  children,
}: {
  title?: string
  aside?: ReactNode
  children: ReactNode
}) {
  if (title === undefined)
    return (
      <div className={styles['panel']}>
        <PanelBoundary>{children}</PanelBoundary>
      </div>
    )
  return (
    <section className={styles['panel']} aria-label={title}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>{title}</h2>
        {aside}
      </div>
      <div className={styles['body']}>
        <PanelBoundary>{children}</PanelBoundary>
      </div>
    </section>
  )
}
