import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { Icon, type IconName } from './icon.tsx'
import { VisuallyHidden } from './text.tsx'

export type Tone = 'ok' | 'wait' | 'quiet' | 'info' | 'back' | 'bad'

/** The icon of each tone, where a state has none of its own. */
const icons: Record<Tone, IconName> = {
  ok: 'checkCircle',
  wait: 'clock',
  quiet: 'dash',
  info: 'check',
  back: 'refund',
  bad: 'alert',
}

/** How a state looks. */
export type Look = { tone: Tone; icon?: IconName; title?: string }

/** What else is to be said of a row, beside its one badge: a sign alone, its word for who points at it. */
export function Sign({ word, ...look }: Look & { word: string }) {
  return (
    <Badge {...look} title={word}>
      <VisuallyHidden>{word}</VisuallyHidden>
    </Badge>
  )
}

/** A state: a word, an icon and a colour, never the colour alone. */
export function Badge({ tone, icon = icons[tone], title, children }: Look & { children: ReactNode }) {
  return (
    <span className={styles['badge']} data-tone={tone} title={title}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  )
}
