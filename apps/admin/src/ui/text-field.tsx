'use client'

import type { ReactNode } from 'react'
import { Field } from './field.tsx'
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
export const TextField = ({ label, hint, fault, onChange, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint} fault={fault ?? null}>
    {(attributes) => (
      <Input
        {...input}
        {...attributes}
        name={input.autoComplete}
        size="large"
        spellCheck={false}
        maxLength={254}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)
