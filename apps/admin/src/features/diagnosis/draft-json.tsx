'use client'

import { WrittenDiagnosis } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/input.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './diagnosis.module.css'
import type { EditedDraft } from './use-draft.ts'

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
