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
 * meanwhile; what somebody else saved meanwhile refuses ours.
 */
export function useDraft(draft: Draft, published: DiagnosisDraftContent, bounds: DiagnosisDesk['bounds']) {
  const t = useTranslations('diagnosis')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [saved, setSaved] = useState(draft)
  const [content, setContent] = useState(draft.content)
  const [note, setNote] = useState(draft.note ?? '')
  const { version, revision } = saved
  const keep = (desk: DiagnosisDesk) => queryClient.setQueryData(trpc.diagnosis.desk.queryKey(), desk)
  const save = useMutation(
    trpc.diagnosis.saveDraft.mutationOptions({
      onSuccess: (desk, sent) => {
        const kept = desk.draft
        if (kept) {
          setSaved(kept)
          setContent((now) => (isSame(now, sent.content) ? kept.content : now))
        }
        keep(desk)
        announce(t('saved'))
      },
      onError: (error) => announce(t('saveFailed', { reason: failureOf(error)?.title ?? '' })),
    }),
  )
  return {
    ...{ content, setContent, note, setNote, save, keep, bounds },
    reference: { version, revision },
    dirty: !isSame(content, saved.content) || note.trim() !== (saved.note ?? ''),
    faults: validateDiagnosis(content, bounds),
    changes: diffDiagnosis(published, content),
    saveNow: () => save.mutate({ version, revision, content, note: note.trim() || null }),
  }
}

export type EditedDraft = ReturnType<typeof useDraft>
