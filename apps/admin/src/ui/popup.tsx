'use client'

import { type ReactNode, useCallback, useId, useLayoutEffect, useRef, useState } from 'react'
import styles from './popup.module.css'

export type TriggerAttributes = { popoverTarget: string; 'aria-expanded': boolean; 'aria-haspopup': 'dialog' }

type PopupProps = {
  label: string
  trigger: (attributes: TriggerAttributes) => ReactNode
  /** Made anew at each opening; `close` puts it away again. */
  children: (close: () => void) => ReactNode
  /** Which edge of the trigger it keeps to. */
  align?: 'start' | 'end'
}

const GAP = 6
const MARGIN = 12

/** Where the pop-up stands: below its trigger, kept inside the window. */
function place(popup: HTMLElement, { anchor, align }: { anchor: DOMRect; align: 'start' | 'end' }): void {
  const wanted = align === 'start' ? anchor.left : anchor.right - popup.offsetWidth
  const left = Math.max(MARGIN, Math.min(wanted, innerWidth - popup.offsetWidth - MARGIN))
  popup.style.left = `${left}px`
  popup.dataset['placed'] = ''
  popup.style.top = `${Math.min(anchor.bottom + GAP, innerHeight - popup.offsetHeight - MARGIN)}px`
}

/**
 * A small panel over the page, on the browser's own popover: Escape and a press outside close it, and focus goes
 * back to its trigger.
 */
export function Popup({ label, trigger, children, align = 'start' }: PopupProps) {
  const id = useId()
  const root = useRef<HTMLSpanElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const close = useCallback(() => popup.current?.hidePopover(), [])

  useLayoutEffect(() => {
    if (!open || !popup.current || !root.current) return
    const panel = popup.current
    const settle = () => {
      const anchor = root.current?.getBoundingClientRect()
      if (anchor) place(panel, { anchor, align })
    }
    settle()
    panel.querySelector<HTMLElement>('[data-autofocus], input, button, a')?.focus()
    const grown = new ResizeObserver(settle)
    grown.observe(panel)
    addEventListener('resize', settle)
    addEventListener('scroll', settle, { passive: true })
    return () => {
      grown.disconnect()
      removeEventListener('resize', settle)
      removeEventListener('scroll', settle)
    }
  }, [open, align])

  return (
    <span ref={root} className={styles['root']}>
      {trigger({ popoverTarget: id, 'aria-expanded': open, 'aria-haspopup': 'dialog' })}
      <div
        id={id}
        ref={popup}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={styles['popup']}
        onToggle={(event) => {
          delete event.currentTarget.dataset['placed']
          setOpen(event.newState === 'open')
        }}
      >
        {open && children(close)}
      </div>
    </span>
  )
}
