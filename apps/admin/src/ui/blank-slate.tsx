import type { ReactNode } from 'react'
import styles from './blank-slate.module.css'
import { Icon, type IconName } from './icon.tsx'

type BlankSlateProps = {
  icon: IconName
  title: string
  hint: string
  /** What to do next. */
  action?: ReactNode
  role?: 'alert'
  level?: 'h1' | 'h2'
  children?: ReactNode
}

/** Where content would be: says why there is none and what to do next. */
export function BlankSlate({
  icon,
  title,
  hint,
  action,
  role,
  level: Heading = 'h2',
  children,
}: BlankSlateProps) {
  return (
    <div className={styles['slate']} role={role}>
      <span className={styles['icon']}>
        <Icon name={icon} size={26} />
      </span>
      <Heading className={styles['title']}>{title}</Heading>
      <p className={styles['hint']}>{hint}</p>
      {children}
      {action}
    </div>
  )
}
