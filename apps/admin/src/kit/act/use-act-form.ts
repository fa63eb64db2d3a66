'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { type FieldValues, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import type { FormSchema } from './form-field.ts'

type FormDefinition<Schema extends FormSchema, Start> = {
  schema: Schema
  start: Start
  /** What is sent beside what is typed, as the page knows it now: the version that was seen, say. */
  beside?: FieldValues
  /** When a fault is named: while it is typed, or once the form was sent. */
  faults?: 'typed' | 'sent'
}

/** A form by its schema: what is typed, whether it is complete, and what it then says. */
export function useActForm<Schema extends FormSchema, Start extends FieldValues>(
  definition: FormDefinition<Schema, Start>,
) {
  const { schema, start, beside, faults = 'typed' } = definition
  const shape: FormSchema = schema
  const read = zodResolver(shape)
  const form = useForm<FieldValues>({
    defaultValues: start,
    resolver: (values, context, options) => read({ ...values, ...beside }, context, options),
    mode: faults === 'typed' ? 'onChange' : 'onSubmit',
  })
  const values: Start = { ...start, ...useWatch({ control: form.control }) }
  const submit = (act: (sent: z.output<Schema>, typed: FieldValues) => void) =>
    form.handleSubmit(() => {
      const typed = form.getValues()
      const sent = schema.safeParse({ ...typed, ...beside })
      if (sent.success) act(sent.data, typed)
    })
  return { control: form.control, values, isComplete: form.formState.isValid, submit, set: form.setValue }
}
