'use client'

import {
  type DiagnosisDesk,
  type DiagnosisDraftContent,
  diffDiagnosis,
  validateDiagnosis,
} from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'

type Draft = NonNullable<DiagnosisDesk['draft']>

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * The draft as it is being edited here, which is not yet what is saved. Saving takes nothing away that was typed
 * meanwhile; what somebody else saved is taken over while nothing is edited here, and else refuses our saving.
 */
export function useDraft(draft: Draft, published: DiagnosisDraftContent) {
  const t = useTranslations('diagnosis')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [base, setBase] = useState(draft)
  const [content, setContent] = useState(draft.content)
  const [note, setNote] = useState(draft.note ?? '')
  const [takenOver, setTakenOver] = useState(draft.revision)
  const { version, revision } = base
  const dirty = !isSame(content, base.content) || note.trim() !== (base.note ?? '')
  if (draft.revision > revision && !dirty) {
    setBase(draft)
    setContent(draft.content)
    setNote(draft.note ?? '')
    setTakenOver(draft.revision)
  }
  const settle = (saved: Draft, sent: DiagnosisDraftContent) => {
    setBase(saved)
    setContent((now) => (isSame(now, sent) ? saved.content : now))
  }
  const keep = (desk: DiagnosisDesk) => queryClient.setQueryData(trpc.diagnosis.desk.queryKey(), desk)
  const save = useMutation(
    trpc.diagnosis.saveDraft.mutationOptions({
      onSuccess: (desk, sent) => {
        if (desk.draft) settle(desk.draft, sent.content)
        keep(desk)
        announce(t('saved'))
      },
      onError: (error) => announce(t('saveFailed', { reason: failureOf(error)?.title ?? '' })),
    }),
  )
  return {
    ...{ content, setContent, note, setNote, save, keep },
    reference: { version, revision },
    dirty,
    /** Changes when the content came from elsewhere than from here. */
    takenOver,
    faults: validateDiagnosis(content),
    changes: diffDiagnosis(published, content),
    saveNow: () => save.mutate({ version, revision, content, note: note.trim() || null }),
  }
}

export type EditedDraft = ReturnType<typeof useDraft>
