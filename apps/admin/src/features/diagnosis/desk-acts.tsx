'use client'

import {
  type DiagnosisDesk,
  type DiagnosisDraftContent,
  diffDiagnosis,
  validateDiagnosis,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ActButton } from '../../kit/act/act-button.tsx'
import { type Store, useAct } from '../../kit/act/use-act.ts'

/** What follows an act on the desk: each of them answers the whole desk, which the page then shows. */
export const shownDesk = {
  invalidates: [],
  keep: (desk: DiagnosisDesk, { put, trpc }: Store) => put(trpc.diagnosis.desk.queryKey(), desk),
} as const

/** Takes the published version back, at once: it reaches every phone, so it is asked once more. */
export function WithdrawPublished({ version }: { version: number }) {
  const t = useTranslations('diagnosis')
  const withdraw = useAct({
    call: (api) => api.diagnosis.withdraw.mutate,
    ...shownDesk,
    done: () => t('withdrawn'),
  })
  const label = t('withdraw', { version })
  return (
    <ActButton
      icon="refund"
      label={label}
      hint={t('withdrawHint')}
      quiet
      permission="diagnosis.publish"
      forbidden={(who) => t('forbidden', who)}
      act={withdraw}
      input={{ version }}
      confirm={{ title: label, lead: t('withdrawLead'), submitLabel: label, danger: true }}
    />
  )
}

/** Starts a draft from a version: the newest to carry on, an older one to go back to it. */
export function StartDraft({ desk, version }: { desk: DiagnosisDesk; version: number }) {
  const t = useTranslations('diagnosis')
  const start = useAct({
    call: (api) => api.diagnosis.startDraft.mutate,
    ...shownDesk,
    done: () => t('started', { version }),
    refused: (reason) => t('saveFailed', { reason }),
    refreshesOnFailure: ['diagnosis'],
  })
  const isNewest = version === desk.published.version
  return (
    <ActButton
      icon={isNewest ? 'edit' : 'refund'}
      label={isNewest ? t('start') : t('goBack', { version })}
      hint={isNewest ? t('startHint') : t('goBackHint', { version })}
      quiet={!isNewest}
      permission="diagnosis.edit"
      forbidden={(who) => t('forbidden', who)}
      obstacle={desk.draft ? t('draftExists') : null}
      act={start}
      input={{ version }}
    />
  )
}

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
