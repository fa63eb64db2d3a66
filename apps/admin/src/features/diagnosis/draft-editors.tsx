'use client'

import { type DraftProgram, WrittenDiagnosis } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input, TextArea } from '../../ui/input.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useListKeys } from '../../ui/use-list-keys.ts'
import type { EditedDraft } from './desk-acts.tsx'
import styles from './diagnosis.module.css'
import { useFaultAt, useFieldName } from './diagnosis-words.ts'
import { ProgramForm } from './program-form.tsx'

/** The parts of a body that programs are for. */
function BodyPartsForm({ draft }: { draft: EditedDraft }) {
  const { content, setContent } = draft
  const t = useTranslations('diagnosis')
  const fieldName = useFieldName()
  const faultAt = useFaultAt(draft)
  const { keyOf, forget } = useListKeys(content.body_parts.length)
  const set = (body_parts: typeof content.body_parts) => setContent({ ...content, body_parts })
  const change = (place: number, changes: Partial<(typeof content.body_parts)[number]>) =>
    set(content.body_parts.map((part, at) => (at === place ? { ...part, ...changes } : part)))
  return (
    <Panel title={t('bodyParts')}>
      <ul className={styles['parts']}>
        {content.body_parts.map((part, place) => (
          <li key={keyOf(place)} className={styles['part']}>
            {(['code', 'name'] as const).map((field) => (
              <Field key={field} label={fieldName(field)} fault={faultAt(`body_parts.${place}.${field}`)}>
                {(attributes) => (
                  <Input
                    {...attributes}
                    maxLength={64}
                    value={part[field]}
                    onChange={(event) => change(place, { [field]: event.target.value })}
                  />
                )}
              </Field>
            ))}
            <IconButton
              label={t('removePart', { name: part.name || part.code || String(place + 1) })}
              onClick={() => {
                forget(place)
                set(content.body_parts.filter((_, at) => at !== place))
              }}
            >
              <Icon name="close" />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button
        icon={<Icon name="plus" />}
        onClick={() => set([...content.body_parts, { code: '', name: '' }])}
      >
        {t('addPart')}
      </Button>
    </Panel>
  )
}

const emptyProgram: DraftProgram = {
  code: '',
  name: '',
  body_part: '',
  waveform: 'biphasic',
  frequency_hz: null,
  pulse_width_us: null,
  intensity_min: null,
  intensity_max: null,
  intensity_default: null,
  duration_minutes: 15,
  contraindications: [],
  premium: false,
}

/** The draft as a form. */
export function DraftForm({ draft }: { draft: EditedDraft }) {
  const t = useTranslations('diagnosis')
  const { content, setContent } = draft
  const { keyOf, forget } = useListKeys(content.programs.length)
  const set = (programs: DraftProgram[]) => setContent({ ...content, programs })
  return (
    <div className={styles['rows']}>
      <BodyPartsForm draft={draft} />
      <Panel title={t('programs')}>
        <div className={styles['programs']}>
          {content.programs.map((program, place) => (
            <ProgramForm
              key={keyOf(place)}
              draft={draft}
              place={place}
              program={program}
              change={(changes) =>
                set(content.programs.map((one, at) => (at === place ? { ...one, ...changes } : one)))
              }
              remove={() => {
                forget(place)
                set(content.programs.filter((_, at) => at !== place))
              }}
            />
          ))}
        </div>
        <Button icon={<Icon name="plus" />} onClick={() => set([...content.programs, emptyProgram])}>
          {t('addProgram')}
        </Button>
      </Panel>
    </div>
  )
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The draft as text; what is not a configuration stays here and is not taken over. */
export function DraftJson({ draft: { content, setContent } }: { draft: EditedDraft }) {
  const t = useTranslations('diagnosis')
  const [text, setText] = useState(() => JSON.stringify(content, null, 2))
  const [fault, setFault] = useState<string | null>(null)
  const type = (typed: string) => {
    setText(typed)
    const json = readJson(typed)
    if (json === undefined) return setFault(t('notJson'))
    const read = WrittenDiagnosis.safeParse(json)
    if (read.success) {
      setFault(null)
      return setContent(read.data)
    }
    const [issue] = read.error.issues
    setFault(t('notConfiguration', { path: issue?.path.join('.') || '/', reason: issue?.message ?? '' }))
  }
  return (
    <Panel title="JSON">
      <Field label={t('asJson')} hint={t('jsonHint')} fault={fault}>
        {(attributes) => (
          <TextArea
            {...attributes}
            className={styles['json'] ?? ''}
            rows={26}
            spellCheck={false}
            value={text}
            onChange={(event) => type(event.target.value)}
          />
        )}
      </Field>
    </Panel>
  )
}
