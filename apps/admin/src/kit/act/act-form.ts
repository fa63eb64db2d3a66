'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { type FieldValues, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'

type Common = {
  /** Its path in the form. */
  name: string
  label: string
  hint?: ReactNode
  /** Said in place of the hint while what is typed is wrong. */
  fault?: string
}

export type FormOption = { value: string; label: string; note?: string }

export type LineField = Common & {
  kind: 'line'
  /** Stands there until something is typed. */
  proposed?: string
  prefix?: string
  /** Which keys a phone offers. */
  inputMode?: 'decimal' | 'numeric'
  maxLength?: number
  type?: 'date'
  min?: string
  max?: string
  spellCheck?: boolean
  autoFocus?: boolean
}
/** A line as pages of forms have it: larger, and known to the browser by what it holds. */
type LargeField = Common & { kind: 'large'; type: 'text' | 'email' }
type TextField = Common & { kind: 'text'; rows: number }
type SelectField = Common & { kind: 'select'; options: readonly FormOption[]; className: string }
/** One of a few, all of them seen; `title` shows the label above them. */
type ChoiceField = Common & {
  kind: 'choice'
  options: readonly FormOption[]
  className: string
  optionClassName?: string
  title?: boolean
}
type ChecksField = Common & { kind: 'checks'; options: readonly FormOption[] }
/** Yes or no; `choices` shows it as a list of one under its label. */
type TickField = Common & { kind: 'tick'; className: string; disabled?: boolean }
/** A control of its own. */
export type OwnField = {
  kind: 'own'
  name: string
  draw: (control: { value: unknown; change: (value: unknown) => void; isWrong: boolean }) => ReactNode
}

/** What is shown between the fields. */
type ShownField = { kind: 'shown'; name: string; shown: ReactNode }
/** Fields beside each other. */
type RowField = { kind: 'row'; name: string; className: string; fields: readonly FormField[] }

/** One field of a form: what it is called and how it is typed. What it may hold is the schema's. */
export type FormField =
  | LineField
  | LargeField
  | TextField
  | SelectField
  | ChoiceField
  | ChecksField
  | TickField
  | OwnField
  | ShownField
  | RowField

/** What of a dialog may change while its form is filled in. */
export type FormLook = {
  submitLabel: string
  danger?: boolean
  /** Said while something is missing or wrong. Without it the button may be pressed, and faults are named then. */
  incomplete?: string
  /** Why it cannot be done although the form is complete. */
  obstacle?: string | null
  fields: readonly FormField[]
}

export type FormSchema = z.ZodType<FieldValues, FieldValues>

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
