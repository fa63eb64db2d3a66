'use client'

import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { z } from 'zod'
import type { Failure } from '../../ui/failure-panel.tsx'
import type { FormLook, FormSchema } from './act-form.ts'
import type { Act } from './use-act.ts'

// The form library is read when the first form opens, not with the page.
const FormDialogContent = dynamic(
  () => import('./form-dialog-content.tsx').then((module) => module.FormDialogContent),
  { ssr: false },
)

type FormDialogProps<Schema extends FormSchema, Start> = FormLook & {
  title: string
  lead?: ReactNode
  /** The contract's shape of what is sent: the one place that says what a field may hold. */
  schema: Schema
  /** What the form starts with; what has no field is sent as it stands here. */
  start: Start
  /** What is sent beside what is typed, as the page knows it now: the version that was seen, say. */
  beside?: Partial<z.input<Schema>>
  vary?: (values: Start) => Partial<FormLook>
  act: Pick<Act<z.output<Schema>>, 'run' | 'busy' | 'failure'>
  /** In place of what the act failed with. */
  failure?: ReactNode
  onClose: () => void
}

/** Which fields are wrong says more than that some are. */
const saidOf = (failure: Failure | null) => failure?.faults?.join(' ') || failure?.title

/** An act that wants a form: the schema says when it is complete and what it sends. */
export function FormDialog<Schema extends FormSchema, Start extends Partial<z.input<Schema>>>(
  props: FormDialogProps<Schema, Start>,
) {
  const { schema, start, vary, act, failure = saidOf(act.failure), ...dialog } = props
  return (
    <FormDialogContent
      {...dialog}
      schema={schema}
      start={start}
      {...(vary && { vary: (values: FieldValues) => vary({ ...start, ...values }) })}
      submitting={act.busy}
      failure={failure ?? null}
      onSubmit={(values) => {
        const read = schema.safeParse({ ...values, ...dialog.beside })
        if (read.success) act.run(read.data, dialog.onClose)
      }}
    />
  )
}
