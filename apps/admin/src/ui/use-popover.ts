import { type RefObject, type ToggleEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Which edge of its trigger a pop-up keeps to. */
export type Alignment = 'start' | 'end'

const GAP = 6
const MARGIN = 12

/**
 * Where the pop-up stands: below its trigger, or above where it does not fit below, so that it never covers what opened
 * it; kept inside the window.
 */
function place(popup: HTMLElement, { anchor, align }: { anchor: DOMRect; align: Alignment }): void {
  popup.style.setProperty('--anchor-width', `${anchor.width}px`)
  const wanted = align === 'start' ? anchor.left : anchor.right - popup.offsetWidth
  const left = Math.max(MARGIN, Math.min(wanted, innerWidth - popup.offsetWidth - MARGIN))
  popup.style.left = `${left}px`
  const last = innerHeight - popup.offsetHeight - MARGIN
  const above = anchor.top - GAP - popup.offsetHeight
  const isAbove = anchor.bottom + GAP > last && above >= MARGIN
  popup.dataset['placed'] = isAbove ? 'above' : 'below'
  popup.style.top = `${isAbove ? above : Math.max(MARGIN, Math.min(anchor.bottom + GAP, last))}px`
}

type Popover<Anchor> = {
  anchor: RefObject<Anchor | null>
  popup: RefObject<HTMLDivElement | null>
  open: boolean
  close: () => void
  onToggle: (event: ToggleEvent<HTMLElement>) => void
}

/**
 * The browser's own popover, placed below what opens it. It stands above everything, a modal dialog too; Escape and a
 * press outside close it, and focus goes back to its trigger.
 */
export function usePopover<Anchor extends HTMLElement>(align: Alignment): Popover<Anchor> {
  const anchor = useRef<Anchor>(null)
  const popup = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const close = useCallback(() => popup.current?.hidePopover(), [])

  // The browser opens it by itself: whoever presses before the page is alive has opened it already.
  useLayoutEffect(() => {
    if (popup.current?.matches(':popover-open')) setOpen(true)
  }, [])

  useLayoutEffect(() => {
    if (!open || !popup.current || !anchor.current) return
    const panel = popup.current
    const settle = () => {
      const box = anchor.current?.getBoundingClientRect()
      if (box) place(panel, { anchor: box, align })
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

  const onToggle = (event: ToggleEvent<HTMLElement>) => {
    delete event.currentTarget.dataset['placed']
    setOpen(event.newState === 'open')
  }
  return { anchor, popup, open, close, onToggle }
}
