'use client'

import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useId } from 'react'
import { Button, unavailable } from './button.tsx'
import { type TriggerAttributes, usePopover } from './popup.tsx'
import styles from './tooltip.module.css'

type DescribedAttributes = {
  'aria-describedby': string
  onPointerEnter: (event: PointerEvent) => void
  onPointerLeave: (event: PointerEvent) => void
  onFocus: (event: FocusEvent) => void
  onBlur: () => void
}

type TooltipProps = {
  /** Read out with what it belongs to, whether or not it is shown. */
  title: string
  /** Shows nothing for now: what it belongs to has something open below itself. */
  off?: boolean
  children: (attributes: DescribedAttributes) => ReactNode
}

/**
 * A remark below what the pointer rests on or the keyboard has reached. It stays while pointed at, and Escape takes it
 * away (WCAG 2.2, 1.4.13). The browser's own popover: React Aria's would be 16 KB on nearly every page.
 */
function Tooltip({ title, off = false, children }: TooltipProps) {
  const id = useId()
  const { anchor, popup, open, close, onToggle } = usePopover<HTMLSpanElement>('end')
  const show = () => {
    if (!off && popup.current?.matches(':popover-open') === false) popup.current.showPopover()
  }
  const leave = ({ relatedTarget }: PointerEvent) => {
    if (!(relatedTarget instanceof Node && anchor.current?.contains(relatedTarget))) close()
  }

  useEffect(() => {
    if (!open) return
    if (off) close()
    const press = (event: KeyboardEvent) => event.key === 'Escape' && close()
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [open, off, close])

  return (
    <span ref={anchor} className={styles['root']}>
      {children({
        'aria-describedby': id,
        onPointerEnter: ({ pointerType }) => pointerType === 'mouse' && show(),
        onPointerLeave: leave,
        onFocus: ({ target }) => target.matches(':focus-visible') && show(),
        onBlur: close,
      })}
      <span
        ref={popup}
        id={id}
        role="tooltip"
        popover="manual"
        className={styles['tooltip']}
        onToggle={onToggle}
        onPointerLeave={leave}
      >
        {title}
      </span>
    </span>
  )
}

type ActionButtonProps = {
  icon: ReactNode
  busy: boolean
  /** What pressing it does, beyond its name. */
  hint: string
  /** Why it may not be pressed; the button then stays reachable, so that the reason is too. */
  disabledReason: string | null
  /** One act among several, or one that is rarely meant. */
  quiet?: boolean
  /** Stands within a line of text. */
  small?: boolean
  children: ReactNode
} & ({ onPress: () => void; opens?: never } | { onPress?: never; opens: TriggerAttributes })

/** An act with an effect, or with several to choose from in a pop-up. Forbidden acts are shown and say why, never hidden. */
export function ActionButton({
  icon,
  busy,
  hint,
  disabledReason,
  quiet = false,
  small = false,
  onPress,
  opens,
  children,
}: ActionButtonProps) {
  const disabled = disabledReason !== null
  return (
    <Tooltip title={disabledReason ?? hint} off={opens?.['aria-expanded'] ?? false}>
      {(described) => (
        <Button
          {...described}
          look={disabled || quiet ? 'default' : 'primary'}
          size={small ? 'small' : 'middle'}
          icon={icon}
          loading={busy}
          aria-disabled={disabled}
          style={disabled ? unavailable : {}}
          onClick={() => !disabled && onPress?.()}
          {...(!disabled && !busy && opens)}
        >
          {children}
        </Button>
      )}
    </Tooltip>
  )
}
