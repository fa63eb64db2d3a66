'use client'

import type { FormEvent, ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './form-shell.module.css'
import { Notice } from './notice.tsx'

export type FormShellProps = {
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
      <Button look="primary" type="submit" size="large" block loading={submitting} aria-disabled={submitting}>
        {submitLabel}
      </Button>
      {after}
    </form>
  )
}
