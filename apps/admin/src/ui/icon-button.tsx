import type { ButtonHTMLAttributes, ReactNode } from 'react'
import styles from './icon-button.module.css'

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** What pressing it does, in words. */
  label: string
  children: ReactNode
}

/** A button that shows a picture; its label is read out and shown when pointed at. */
export function IconButton({ label, children, ...attributes }: IconButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} className={styles['button']} {...attributes}>
      {children}
    </button>
  )
}
