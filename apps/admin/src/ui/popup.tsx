'use client'

import { type ReactNode, useId } from 'react'
import styles from './popup.module.css'
import { type Alignment, usePopover } from './use-popover.ts'

export type TriggerAttributes = { popoverTarget: string; 'aria-expanded': boolean; 'aria-haspopup': 'dialog' }

type PopupProps = {
  label: string
  trigger: (attributes: TriggerAttributes) => ReactNode
  /** Made anew at each opening; `close` puts it away again. */
  children: (close: () => void) => ReactNode
  align?: Alignment
}

/** A small panel over the page, below what opens it. */
export function Popup({ label, trigger, children, align = 'start' }: PopupProps) {
  const id = useId()
  const { anchor, popup, open, close, onToggle } = usePopover<HTMLSpanElement>(align)
  return (
    <span ref={anchor} className={styles['root']}>
      {trigger({ popoverTarget: id, 'aria-expanded': open, 'aria-haspopup': 'dialog' })}
      <div
        id={id}
        ref={popup}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={styles['popup']}
        onToggle={onToggle}
      >
        {open && children(close)}
      </div>
    </span>
  )
}
