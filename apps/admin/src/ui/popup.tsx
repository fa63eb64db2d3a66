'use client'

import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type ToggleEvent,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import menuStyles from './choice-menu.module.css'
import { Icon } from './icon.tsx'
import styles from './popup.module.css'

/** Which edge of its trigger a pop-up keeps to; `beside` stands to the right of it. */
type Alignment = 'start' | 'end' | 'beside'

const GAP = 6
const MARGIN = 12

/**
 * Where the pop-up stands: below its trigger, or above where it does not fit below, so that it never covers what opened
 * it; kept inside the window.
 */
function place(popup: HTMLElement, { anchor, align }: { anchor: DOMRect; align: Alignment }): void {
  popup.style.setProperty('--anchor-width', `${anchor.width}px`)
  const edges = { start: anchor.left, end: anchor.right - popup.offsetWidth, beside: anchor.right + GAP }
  const left = Math.max(MARGIN, Math.min(edges[align], innerWidth - popup.offsetWidth - MARGIN))
  popup.style.left = `${left}px`
  const last = innerHeight - popup.offsetHeight - MARGIN
  if (align === 'beside') {
    popup.dataset['placed'] = 'beside'
    popup.style.top = `${Math.max(MARGIN, Math.min(anchor.top, last))}px`
    return
  }
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

type Choice<Value extends string> = { value: Value; label: string; icon?: ReactNode; lang?: string }

type ChoiceMenuProps<Value extends string> = {
  label: string
  choices: readonly Choice<Value>[]
  /** What was chosen last; acts have none. */
  value?: Value
  choose: (value: Value) => void
}

/** One of a few, in a pop-up: ↑ ↓ move, Enter or a press chooses. */
export function ChoiceMenu<Value extends string>({ label, choices, value, choose }: ChoiceMenuProps<Value>) {
  const menu = useRef<HTMLFieldSetElement>(null)
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const items = [...(menu.current?.querySelectorAll('button') ?? [])]
    const here = items.findIndex((item) => item.matches(':focus'))
    items.at((here + step) % items.length)?.focus()
  }
  return (
    <fieldset ref={menu} aria-label={label} onKeyDown={walk} className={menuStyles['menu']}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={styles['entry']}
          lang={choice.lang}
          aria-pressed={value === undefined ? undefined : choice.value === value}
          data-autofocus={choice.value === value || undefined}
          onClick={() => choose(choice.value)}
        >
          {choice.icon}
          <span>{choice.label}</span>
          {choice.value === value && <Icon name="check" />}
        </button>
      ))}
    </fieldset>
  )
}
