'use client'

import type { ComponentProps, ReactNode } from 'react'
import styles from './input.module.css'

type InputProps = Omit<ComponentProps<'input'>, 'prefix' | 'size'> & {
  size?: 'middle' | 'large'
  /** What stands in the field before and after the text. */
  prefix?: ReactNode
  suffix?: ReactNode
}

/** The browser's own field in the looks of this console; `aria-invalid` is also how it looks. */
export function Input({ size = 'middle', prefix, suffix, className = '', ...attributes }: InputProps) {
  if (prefix === undefined && suffix === undefined)
    return <input {...attributes} data-size={size} className={`${styles['field']} ${className}`} />
  return (
    <span data-size={size} className={`${styles['field']} ${styles['parts']} ${className}`}>
      {prefix && <span className={styles['affix']}>{prefix}</span>}
      <input {...attributes} />
      {suffix && <span className={styles['affix']}>{suffix}</span>}
    </span>
  )
}

export function TextArea({ className = '', ...attributes }: ComponentProps<'textarea'>) {
  return <textarea {...attributes} className={`${styles['field']} ${styles['area']} ${className}`} />
}
