'use client'

import { formatFen } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { CONFIRMED_CHARACTERS } from './use-refund-form.ts'

type TextProps = { value: string; change: (value: string) => void }

/** How much goes back, in yuan. */
export function AmountField({ value, change, mostFen }: TextProps & { mostFen: number }) {
  const t = useTranslations('refunds')
  return (
    <Field label={t('amountYuan')} hint={t('amountHint', { most: formatFen(mostFen) })}>
      {(attributes) => (
        <Input
          {...attributes}
          prefix="¥"
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  )
}

/** A note for colleagues. */
export function NoteField({ value, change }: TextProps) {
  const t = useTranslations('refunds')
  return (
    <Field label={t('note')} hint={t('noteHint')}>
      {(attributes) => (
        <Input.TextArea
          {...attributes}
          rows={2}
          maxLength={500}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  )
}

/** The end of the number that the refund is for, typed again. */
export function ConfirmationField({
  value,
  change,
  label,
  ending,
}: TextProps & { label: string; ending: string }) {
  const t = useTranslations('refunds')
  return (
    <Field label={label} hint={t('confirmHint', { ending })}>
      {(attributes) => (
        <Input
          {...attributes}
          autoComplete="off"
          spellCheck={false}
          maxLength={CONFIRMED_CHARACTERS}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  )
}
