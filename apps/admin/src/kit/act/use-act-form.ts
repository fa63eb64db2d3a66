'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { type FieldValues, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import type { FormSchema } from './form-dialog.tsx'

type FormDefinition<Schema extends FormSchema, Start> = {
  schema: Schema
  start: Start
  /** When a fault is named: while it is typed, or once the form was sent. */
  faults?: 'typed' | 'sent'
}

/** A form by its schema: what is typed, whether it is complete, and what it then says. */
export function useActForm<Schema extends FormSchema, Start extends FieldValues>(
  definition: FormDefinition<Schema, Start>,
) {
  const { schema, start, faults = 'typed' } = definition
  const shape: FormSchema = schema
  const form = useForm<FieldValues>({
    defaultValues: start,
    resolver: zodResolver(shape),
    mode: faults === 'typed' ? 'onChange' : 'onSubmit',
  })
  const values: Start = { ...start, ...useWatch({ control: form.control }) }
  const submit = (act: (read: z.output<Schema>, values: FieldValues) => void) =>
    form.handleSubmit(() => {
      const values = form.getValues()
      const read = schema.safeParse(values)
      if (read.success) act(read.data, values)
    })
  return { control: form.control, values, isComplete: form.formState.isValid, submit, set: form.setValue }
}
