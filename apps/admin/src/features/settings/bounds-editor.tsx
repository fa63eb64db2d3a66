'use client'

import { defaultProgramBounds, ProgramBounds } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Field } from '../../ui/form.tsx'
import { Input, TextArea } from '../../ui/input.tsx'
import { boundNumbers, boundsOfForm, faultyBounds, formOfBounds } from './setting-forms.ts'
import styles from './settings.module.css'

type BoundsEditorProps = { value: unknown; change: (value: unknown) => void }

/** The bounds of programs, number by number and word by word. */
export function BoundsEditor({ value, change }: BoundsEditorProps) {
  const t = useTranslations('programBounds')
  const [form, setForm] = useState(() =>
    formOfBounds(ProgramBounds.safeParse(value).data ?? defaultProgramBounds),
  )
  const issues = ProgramBounds.safeParse(boundsOfForm(form)).error?.issues ?? []
  const faulty = faultyBounds(issues.map(({ path }) => path.join('.')))
  const type = (typed: Partial<typeof form>) => {
    const next = { ...form, ...typed }
    setForm(next)
    change(boundsOfForm(next))
  }
  const words = { contraindications: t('contraindicationsHint'), refused: t('refusedHint') }
  return (
    <>
      <div className={styles['pairs']}>
        {boundNumbers.map((name) => (
          <Field
            key={name}
            label={t(`fields.${name}`)}
            hint={name === 'product' ? t('productHint') : null}
            fault={faulty.has(name) ? t('fault') : null}
          >
            {(attributes) => (
              <Input
                {...attributes}
                inputMode="decimal"
                autoComplete="off"
                value={form[name]}
                onChange={(event) => type({ [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      {(['contraindications', 'refused'] as const).map((name) => (
        <Field
          key={name}
          label={t(`fields.${name}`)}
          hint={words[name]}
          fault={faulty.has(name) ? t('wordsFault') : null}
        >
          {(attributes) => (
            <TextArea
              {...attributes}
              rows={4}
              value={form[name]}
              onChange={(event) => type({ [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </>
  )
}
