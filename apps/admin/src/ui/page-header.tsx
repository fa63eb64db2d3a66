import type { ReactNode } from 'react'
import styles from './page-header.module.css'

type PageHeaderProps = {
  title: ReactNode
  aside?: ReactNode
  before?: ReactNode
  actions?: ReactNode
  below?: ReactNode
}

/** The head of a page: where one is, what it comes to, what can be done. */
export function PageHeader({ title, aside, before, actions, below }: PageHeaderProps) {
  return (
    <header className={styles['header']}>
      {before}
      <div className={styles['line']}>
        <h1 className={styles['title']}>{title}</h1>
        {aside && <div className={styles['aside']}>{aside}</div>}
        {actions && <div className={styles['actions']}>{actions}</div>}
      </div>
      {below}
    </header>
  )
}
