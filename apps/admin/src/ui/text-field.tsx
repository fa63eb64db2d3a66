'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Field } from './field.tsx'
import styles from './form-shell.module.css'
import { Icon } from './icon.tsx'
import small from './icon-button.module.css'
import { Input } from './input.tsx'

type TextFieldProps = {
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

/** A password: pasting and password managers are welcome, and it can be looked at. */
export function PasswordField(field: Omit<TextFieldProps, 'type' | 'suffix'>) {
  const t = useTranslations('ui')
  const [shown, setShown] = useState(false)
  const name = t(shown ? 'hidePassword' : 'showPassword')
  return (
    <TextField
      {...field}
      type={shown ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          className={`${small['small']} ${styles['reveal']}`}
          aria-label={name}
          title={name}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eyeOff' : 'eye'} size={18} />
        </button>
      }
    />
  )
}
