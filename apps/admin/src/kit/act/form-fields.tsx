'use client'

import { type Control, type FieldValues, useController } from 'react-hook-form'
import { Field, TextField } from '../../ui/form.tsx'
import { Input, TextArea } from '../../ui/input.tsx'
import { CheckList } from '../../ui/native-choices.tsx'
import type { FormField, FormOption } from './act-form.ts'

type Kind = FormField['kind']
/** A field that holds something that is typed. */
type Holding = Exclude<FormField, { kind: 'shown' | 'row' }>
type Of<K extends Kind> = Extract<FormField, { kind: K }>

type Typed = { value: unknown; change: (value: unknown) => void; isWrong: boolean }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const faultOf = ({ fault }: { fault?: string }, { isWrong }: Typed): string | null =>
  (isWrong && fault) || null

function Line({ field, typed }: { field: Of<'line'>; typed: Typed }) {
  const { kind: _, name, label, hint, fault: __, autoFocus, proposed, ...input } = field
  return (
    <Field label={label} hint={hint} fault={faultOf(field, typed)}>
      {(attributes) => (
        <Input
          {...attributes}
          {...(autoFocus && { 'data-autofocus': true })}
          autoComplete="off"
          {...input}
          value={textOf(typed.value ?? proposed)}
          onChange={(event) => typed.change(event.target.value)}
        />
      )}
    </Field>
  )
}

function Text({ field, typed }: { field: Of<'text'>; typed: Typed }) {
  return (
    <Field label={field.label} hint={field.hint} fault={faultOf(field, typed)}>
      {(attributes) => (
        <TextArea
          {...attributes}
          rows={field.rows}
          maxLength={500}
          value={textOf(typed.value)}
          onChange={(event) => typed.change(event.target.value)}
        />
      )}
    </Field>
  )
}

function Select({ field, typed }: { field: Of<'select'>; typed: Typed }) {
  return (
    <Field label={field.label} hint={field.hint}>
      {(attributes) => (
        <select
          {...attributes}
          className={field.className}
          value={textOf(typed.value)}
          onChange={(event) => typed.change(event.target.value)}
        >
          {field.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function Option({ option, field, typed }: { option: FormOption; field: Of<'choice'>; typed: Typed }) {
  return (
    <label className={field.optionClassName}>
      <input
        type="radio"
        name={field.name}
        checked={typed.value === option.value}
        onChange={() => typed.change(option.value)}
      />
      {option.label}
      {option.note && <small>{option.note}</small>}
    </label>
  )
}

function Choice({ field, typed }: { field: Of<'choice'>; typed: Typed }) {
  return (
    <fieldset className={field.className} {...(!field.title && { 'aria-label': field.label })}>
      {field.title && <legend>{field.label}</legend>}
      {field.options.map((option) => (
        <Option key={option.value} option={option} field={field} typed={typed} />
      ))}
    </fieldset>
  )
}

function Tick({ field, typed }: { field: Of<'tick'>; typed: Typed }) {
  const { label, hint } = field
  return (
    <label className={field.className}>
      <input
        type="checkbox"
        checked={typed.value === true}
        disabled={field.disabled}
        onChange={(event) => typed.change(event.target.checked)}
      />
      {hint ? (
        <span>
          {label}
          <small>{hint}</small>
        </span>
      ) : (
        label
      )}
    </label>
  )
}

function Large({ field, typed }: { field: Of<'large'>; typed: Typed }) {
  const { hint } = field
  return (
    <TextField
      label={field.label}
      type={field.type}
      autoComplete="off"
      {...(typeof hint === 'string' && { hint })}
      fault={faultOf(field, typed)}
      value={textOf(typed.value)}
      onChange={typed.change}
    />
  )
}

/** The control of a field, by its kind. */
function Drawn({ field, typed }: { field: Holding; typed: Typed }) {
  switch (field.kind) {
    case 'line':
      return <Line field={field} typed={typed} />
    case 'large':
      return <Large field={field} typed={typed} />
    case 'text':
      return <Text field={field} typed={typed} />
    case 'select':
      return <Select field={field} typed={typed} />
    case 'choice':
      return <Choice field={field} typed={typed} />
    case 'tick':
      return <Tick field={field} typed={typed} />
    case 'checks': {
      const { label, options } = field
      return <CheckList label={label} options={options} chosen={listOf(typed.value)} choose={typed.change} />
    }
    case 'own':
      return field.draw(typed)
  }
}

type FieldProps<Field> = { control: Control<FieldValues>; field: Field }

function Held({ control, field }: FieldProps<Holding>) {
  const { field: held, fieldState } = useController({ control, name: field.name })
  const typed = { value: held.value, change: held.onChange, isWrong: fieldState.invalid }
  return <Drawn field={field} typed={typed} />
}

function Placed({ control, field }: FieldProps<FormField>) {
  if (field.kind === 'shown') return field.shown
  if (field.kind !== 'row') return <Held control={control} field={field} />
  return (
    <div className={field.className}>
      <FormFields control={control} fields={field.fields} />
    </div>
  )
}

type FormFieldsProps = { control: Control<FieldValues>; fields: readonly FormField[] }

/** The fields of a form, one below the other. */
export function FormFields({ control, fields }: FormFieldsProps) {
  return fields.map((field) => <Placed key={field.name} control={control} field={field} />)
}
