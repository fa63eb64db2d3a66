'use client'

import {
  type DiagnosisDesk,
  type DiagnosisDraftContent,
  diffDiagnosis,
  validateDiagnosis,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useAct } from '../../kit/act/use-act.ts'
import { shownDesk } from './desk-acts.tsx'

type Draft = NonNullable<DiagnosisDesk['draft']>

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * The draft as it is being edited here, which is not yet what is saved. Saving takes nothing away that was typed
 * meanwhile; what somebody else saved meanwhile refuses ours.
 */
export function useDraft(draft: Draft, published: DiagnosisDraftContent, bounds: DiagnosisDesk['bounds']) {
  const t = useTranslations('diagnosis')
  const [saved, setSaved] = useState(draft)
  const [content, setContent] = useState(draft.content)
  const [note, setNote] = useState(draft.note ?? '')
  const { version, revision } = saved
  const save = useAct({
    call: (api) => api.diagnosis.saveDraft.mutate,
    ...shownDesk,
    done: () => t('saved'),
    after: ({ draft: kept }, sent) => {
      if (!kept) return
      setSaved(kept)
      setContent((now) => (isSame(now, sent.content) ? kept.content : now))
    },
    refused: (reason) => t('saveFailed', { reason }),
  })
  return {
    ...{ content, setContent, note, setNote, bounds, save },
    reference: { version, revision },
    dirty: !isSame(content, saved.content) || note.trim() !== (saved.note ?? ''),
    faults: validateDiagnosis(content, bounds),
    changes: diffDiagnosis(published, content),
    edited: { version, revision, content, note: note.trim() || null },
  }
}

export type EditedDraft = ReturnType<typeof useDraft>
