'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from './button.tsx'
import styles from './form-shell.module.css'
import { Icon } from './icon.tsx'
import small from './icon-button.module.css'
import { Input } from './input.tsx'
import { Notice } from './notice.tsx'

type FormShellProps = {
  title: string
  lead: ReactNode
  submitLabel: string
  submitting: boolean
  failure: string | null
  onSubmit: () => void
  children: ReactNode
  after?: ReactNode
}

/** A form that is a page of its own. Its required props are what a form must not forget. */
export function FormShell({
  title,
  lead,
  submitLabel,
  submitting,
  failure,
  onSubmit,
  children,
  after,
}: FormShellProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!submitting) onSubmit()
  }
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <div>
        <h1 className={styles['title']}>{title}</h1>
        <div className={styles['lead']}>{lead}</div>
      </div>
      {failure && (
        <Notice tone="bad" role="alert">
          {failure}
        </Notice>
      )}
      {children}
      <Button look="primary" type="submit" size="large" block loading={submitting}>
        {submitLabel}
      </Button>
      {after}
    </form>
  )
}

type FieldAttributes = { id: string; 'aria-describedby'?: string; 'aria-invalid': boolean }

/** A label above a control and, below it, what is expected or what is wrong. */
export function Field({
  label,
  hint,
  fault,
  children,
}: {
  label: string
  hint?: ReactNode
  fault?: string | null
  children: (attributes: FieldAttributes) => ReactNode
}) {
  const id = useId()
  const note = fault ?? hint
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      {children({ id, 'aria-invalid': Boolean(fault), ...(note && { 'aria-describedby': `${id}-note` }) })}
      {note && (
        <span id={`${id}-note`} className={fault ? styles['fault'] : styles['hint']}>
          {note}
        </span>
      )}
    </div>
  )
}

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
