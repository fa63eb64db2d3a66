'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { type FieldValues, useForm, useWatch } from 'react-hook-form'
import { Dialog } from '../../ui/dialog.tsx'
import type { FormLook, FormSchema } from './form-dialog.tsx'
import { FormFields } from './form-fields.tsx'

type FormDialogContentProps = FormLook & {
  title: string
  lead?: ReactNode
  schema: FormSchema
  start: FieldValues
  vary?: (values: FieldValues) => Partial<FormLook>
  submitting: boolean
  failure: ReactNode
  onSubmit: (values: FieldValues) => void
  onClose: () => void
}

/** The dialog and its form; what is typed stays here until it is sent. */
export function FormDialogContent(props: FormDialogContentProps) {
  const { title, lead, schema, start, vary, submitting, failure, onSubmit, onClose } = props
  const form = useForm({
    defaultValues: start,
    resolver: zodResolver(schema),
    mode: props.incomplete === undefined ? 'onSubmit' : 'onChange',
  })
  const values = useWatch({ control: form.control })
  const look: FormLook = { ...props, ...vary?.(values) }
  const { incomplete, obstacle = null } = look
  const isUnfinished = incomplete !== undefined && !form.formState.isValid
  return (
    <Dialog
      title={title}
      lead={lead}
      submitLabel={look.submitLabel}
      danger={look.danger ?? false}
      disabledReason={isUnfinished ? incomplete : obstacle}
      submitting={submitting}
      failure={failure}
      onSubmit={form.handleSubmit(() => onSubmit(form.getValues()))}
      onClose={onClose}
    >
      {look.before}
      <FormFields control={form.control} fields={look.fields} />
      {look.after}
    </Dialog>
  )
}
