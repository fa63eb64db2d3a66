'use client'

import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { ConfirmDialog } from '../../kit/act/confirm-dialog.tsx'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { typedWord } from '../../kit/act/typed.ts'
import { useAct } from '../../kit/act/use-act.ts'
import { FailureLines } from '../../ui/failure-panel.tsx'
import { ChangeList } from './change-list.tsx'
import { type EditedDraft, shownDesk } from './desk-acts.tsx'

type DraftDialogProps = { draft: EditedDraft; onClose: () => void }

/** Throws the draft away, showing first what goes with it. */
export function DiscardDialog({ draft: { reference, changes }, onClose }: DraftDialogProps) {
  const t = useTranslations('diagnosis')
  const { version } = reference
  const discard = useAct({
    call: (api) => api.diagnosis.discardDraft.mutate,
    ...shownDesk,
    done: () => t('discarded', { version }),
  })
  return (
    <ConfirmDialog
      title={t('discardVersion', { version })}
      lead={t('discardLead')}
      submitLabel={t('discardVersion', { version })}
      danger
      act={discard}
      input={reference}
      onClose={onClose}
    >
      <ChangeList changes={changes} />
    </ConfirmDialog>
  )
}

/** Publishing reaches every phone: it is shown once more and confirmed by typing which version it is. */
export function PublishDialog({ draft: { reference, changes }, onClose }: DraftDialogProps) {
  const t = useTranslations('diagnosis')
  const { version } = reference
  const word = `v${version}`
  const publish = useAct({
    call: (api) => api.diagnosis.publish.mutate,
    ...shownDesk,
    done: () => t('asked', { version }),
    // What was right when this page was read is wrong by the bounds of now: the form shows where.
    refreshesOnFailure: ['diagnosis'],
  })
  return (
    <FormDialog
      title={t('publishVersion', { version })}
      lead={t('publishLead')}
      submitLabel={t('publishVersion', { version })}
      danger
      schema={z.object({ typed: typedWord(word) })}
      start={{ typed: '' }}
      incomplete={t('typeToConfirm', { word })}
      fields={[
        { kind: 'shown', name: 'changes', shown: <ChangeList changes={changes} /> },
        { kind: 'line', name: 'typed', label: t('typeVersion', { word }), autoFocus: true },
      ]}
      act={{ ...publish, run: (_, done) => publish.run(reference, done) }}
      failure={publish.failure && <FailureLines failure={publish.failure} />}
      onClose={onClose}
    />
  )
}
