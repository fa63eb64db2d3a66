'use client'

import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Dialog } from '../../ui/dialog.tsx'
import { type FormLook, type FormSchema, useActForm } from './act-form.ts'
import { FormFields } from './form-fields.tsx'

type FormDialogContentProps = FormLook & {
  title: string
  lead?: ReactNode
  schema: FormSchema
  start: FieldValues
  beside?: FieldValues
  vary?: (values: FieldValues) => Partial<FormLook>
  submitting: boolean
  failure: ReactNode
  onSubmit: (values: FieldValues) => void
  onClose: () => void
}

/** The dialog and its form; what is typed stays here until it is sent. */
export function FormDialogContent(props: FormDialogContentProps) {
  const { title, lead, schema, start, vary, submitting, failure, onSubmit, onClose } = props
  const { beside = {} } = props
  const faults = props.incomplete === undefined ? 'sent' : 'typed'
  const form = useActForm({ schema, start, beside, faults })
  const look: FormLook = { ...props, ...vary?.(form.values) }
  const { incomplete, obstacle = null } = look
  const isUnfinished = incomplete !== undefined && !form.isComplete
  return (
    <Dialog
      title={title}
      lead={lead}
      submitLabel={look.submitLabel}
      danger={look.danger ?? false}
      disabledReason={isUnfinished ? incomplete : obstacle}
      submitting={submitting}
      failure={failure}
      onSubmit={form.submit((_, values) => onSubmit(values))}
      onClose={onClose}
    >
      <FormFields control={form.control} fields={look.fields} />
    </Dialog>
  )
}
