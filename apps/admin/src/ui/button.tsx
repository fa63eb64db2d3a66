'use client'

import type { ButtonHTMLAttributes, ComponentProps, MouseEvent, ReactNode } from 'react'
import styles from './button.module.css'
import iconStyles from './icon-button.module.css'

/** Something is under way. Decoration only: words beside it say what. */
const Spinner = () => <span aria-hidden="true" className={styles['spinner']} />

type ButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  /** How much it asks to be pressed. */
  look?: 'primary' | 'default' | 'text'
  type?: 'button' | 'submit'
  size?: 'small' | 'middle' | 'large'
  icon?: ReactNode
  iconPlacement?: 'start' | 'end'
  /** What it began is under way: it turns a wheel, takes no second press, and says so. */
  loading?: boolean
  /** Pressing it takes something away. */
  danger?: boolean
  /** As wide as what it stands in. */
  block?: boolean
}

/** The browser's own button in the looks of this console. */
export function Button({
  look = 'default',
  type = 'button',
  size = 'middle',
  icon,
  iconPlacement = 'start',
  loading = false,
  danger = false,
  block = false,
  className = '',
  onClick,
  children,
  ...attributes
}: ButtonProps) {
  const sign = loading ? <Spinner /> : icon
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (loading) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...attributes}
      type={type}
      className={`${styles['button']} ${className}`}
      data-look={look}
      data-size={size}
      data-danger={danger || undefined}
      data-block={block || undefined}
      data-loading={loading || undefined}
      aria-disabled={loading || attributes['aria-disabled']}
      onClick={press}
    >
      {iconPlacement === 'start' && sign}
      {typeof children === 'string' ? <span>{children}</span> : children}
      {iconPlacement === 'end' && sign}
    </button>
  )
}

/** How a button looks that may not be pressed: greyed out, yet as legible as one that may. */
export const unavailable = {
  cursor: 'not-allowed',
  borderStyle: 'dashed',
  borderColor: 'var(--line-strong)',
  background: 'var(--raised)',
  boxShadow: 'none',
  color: 'var(--ink-faint)',
} as const

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** What pressing it does, in words. */
  label: string
  children: ReactNode
}

/** A button that shows a picture; its label is read out and shown when pointed at. */
export function IconButton({ label, children, ...attributes }: IconButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} className={iconStyles['button']} {...attributes}>
      {children}
    </button>
  )
}
