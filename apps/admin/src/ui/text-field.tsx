'use client'

import { type ReactNode, useId } from 'react'
import styles from './form-shell.module.css'
import { Input } from './input.tsx'

export type TextFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  type: 'text' | 'email' | 'password'
  autoComplete: string
  hint?: string
  fault?: string | null
  suffix?: ReactNode
  autoFocus?: boolean
  /** Which keys a phone offers. */
  inputMode?: 'numeric' | 'text'
}

/** A labelled field that says below itself what is expected, or what is wrong. */
export function TextField({ label, hint, fault, onChange, suffix, ...input }: TextFieldProps) {
  const id = useId()
  const note = fault ?? hint
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      <Input
        {...input}
        id={id}
        name={input.autoComplete}
        size="large"
        spellCheck={false}
        maxLength={254}
        suffix={suffix}
        aria-invalid={Boolean(fault)}
        {...(note && { 'aria-describedby': `${id}-note` })}
        onChange={(event) => onChange(event.target.value)}
      />
      {note && (
        <span id={`${id}-note`} className={fault ? styles['fault'] : styles['hint']}>
          {note}
        </span>
      )}
    </div>
  )
}
