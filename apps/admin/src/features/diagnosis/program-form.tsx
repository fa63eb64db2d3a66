'use client'

import {
  boundsOfNumber,
  type DraftProgram,
  type ProgramBounds,
  type ProgramNumber,
  programNumbers,
  waveforms,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { Input, TextArea } from '../../ui/input.tsx'
import layout from '../../ui/layout.module.css'
import { CheckList, NativeSelect } from '../../ui/native-choices.tsx'
import { Raw } from '../../ui/text.tsx'
import type { EditedDraft } from './desk-acts.tsx'
import styles from './diagnosis.module.css'
import { useFaultAt, useFieldName } from './diagnosis-words.ts'

type ProgramFormProps = {
  draft: EditedDraft
  place: number
  program: DraftProgram
  change: (changes: Partial<DraftProgram>) => void
  remove: () => void
}

type PartProps = Pick<ProgramFormProps, 'program' | 'change'> & {
  faultOf: (field: string) => string | null
}
type NumberProps = PartProps & { field: ProgramNumber; bounds: ProgramBounds }

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

function Names({ program, change, faultOf }: PartProps) {
  const fieldName = useFieldName()
  return (['code', 'name'] as const).map((field) => (
    <Field key={field} label={fieldName(field)} fault={faultOf(field)}>
      {(attributes) => (
        <Input
          {...attributes}
          maxLength={64}
          value={program[field]}
          onChange={(event) => change({ [field]: event.target.value })}
        />
      )}
    </Field>
  ))
}

function NumberField({ field, bounds, program, change, faultOf }: NumberProps) {
  const t = useTranslations('diagnosis')
  const fieldName = useFieldName()
  return (
    <Field label={fieldName(field)} hint={t('between', boundsOfNumber(field, bounds))} fault={faultOf(field)}>
      {(attributes) => (
        <Input
          {...attributes}
          type="number"
          step="any"
          value={program[field] ?? ''}
          onChange={(event) => change({ [field]: numberOf(event.target.value) })}
        />
      )}
    </Field>
  )
}

function Choices({ program, change, faultOf, draft }: PartProps & { draft: EditedDraft }) {
  const t = useTranslations('diagnosis')
  const fieldName = useFieldName()
  const parts = draft.content.body_parts.map(({ code, name }) => ({ value: code, label: name || code }))
  const lists = {
    body_part: parts,
    waveform: waveforms.map((wave) => ({ value: wave, label: t(`waveforms.${wave}`) })),
  }
  return (['body_part', 'waveform'] as const).map((field) => (
    <Field key={field} label={fieldName(field)} fault={faultOf(field)}>
      {(attributes) => (
        <NativeSelect
          {...attributes}
          options={lists[field]}
          empty={t('choose')}
          value={program[field]}
          choose={(value) => change({ [field]: value })}
        />
      )}
    </Field>
  ))
}

/** One program: what it does to a body, and for whom it is not. */
export function ProgramForm({ draft, place, program, change, remove }: ProgramFormProps) {
  const t = useTranslations('diagnosis')
  const fieldName = useFieldName()
  const faultAt = useFaultAt(draft)
  const part = { program, change, faultOf: (field: string) => faultAt(`programs.${place}.${field}`) }
  const wrong = draft.faults.some(({ path }) => path.startsWith(`programs.${place}.`))
  const name = program.name || program.code || t('newProgram')
  return (
    <details className={styles['program']} open={wrong}>
      <summary>
        <strong>{name}</strong>
        <Raw>{program.code}</Raw>
        {program.premium && (
          <span className={layout['pill']} data-tone="back">
            {fieldName('premium')}
          </span>
        )}
        {wrong && (
          <span className={layout['pill']} data-tone="wait">
            {t('hasFaults')}
          </span>
        )}
      </summary>
      <div className={styles['grid']}>
        <Names {...part} />
        <Choices {...part} draft={draft} />
        {programNumbers.map((field) => (
          <NumberField key={field} {...part} field={field} bounds={draft.bounds} />
        ))}
      </div>
      <Field
        label={fieldName('contraindications')}
        hint={t('oneEachLine')}
        fault={part.faultOf('contraindications')}
      >
        {(attributes) => (
          <TextArea
            {...attributes}
            rows={3}
            value={program.contraindications.join('\n')}
            onChange={(event) =>
              change({ contraindications: event.target.value === '' ? [] : event.target.value.split('\n') })
            }
          />
        )}
      </Field>
      <div className={styles['foot']}>
        <CheckList
          label={t('forWhom')}
          options={[{ value: 'premium', label: t('premiumOnly') }]}
          chosen={program.premium ? ['premium'] : []}
          choose={(chosen) => change({ premium: chosen.length > 0 })}
        />
        <Button danger onClick={remove}>
          {t('removeProgram', { name })}
        </Button>
      </div>
    </details>
  )
}
