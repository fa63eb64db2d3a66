import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'ok' | 'wait' | 'quiet' | 'info' | 'back' | 'bad'

/** A state: a word, an icon and a colour, never the colour alone. */
export function Badge({
  tone,
  icon,
  title,
  children,
}: {
  tone: Tone
  icon: IconName
  title?: string
  children: ReactNode
}) {
  return (
    <span className={styles['badge']} data-tone={tone} title={title}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  )
}
