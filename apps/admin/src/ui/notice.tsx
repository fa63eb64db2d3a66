import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import styles from './notice.module.css'

type NoticeProps = {
  tone: 'bad' | 'wait' | 'info'
  icon?: IconName
  role?: 'alert' | 'status'
  children: ReactNode
}

/** A line that explains the state of what stands below it. */
export function Notice({ tone, icon = 'alert', role, children }: NoticeProps) {
  return (
    <div className={styles['notice']} data-tone={tone} role={role}>
      <Icon name={icon} size={18} />
      <div>{children}</div>
    </div>
  )
}
