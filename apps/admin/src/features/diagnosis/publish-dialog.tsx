'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureLines } from '../../ui/failure-lines.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { ChangeList } from './change-list.tsx'
import type { EditedDraft } from './use-draft.ts'

/** Publishing reaches every phone: it is shown once more and confirmed by typing which version it is. */
export function PublishDialog({ draft, onClose }: { draft: EditedDraft; onClose: () => void }) {
  const t = useTranslations('diagnosis')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [typed, setTyped] = useState('')
  const { version } = draft.reference
  const word = `v${version}`
  const publish = useMutation(
    trpc.diagnosis.publish.mutationOptions({
      onSuccess: (desk) => {
        announce(t('asked', { version }))
        onClose()
        draft.keep(desk)
      },
      // What was right when this page was read is wrong by the bounds of now: the form shows where.
      onError: () => queryClient.invalidateQueries(trpc.diagnosis.pathFilter()),
    }),
  )
  const failure = failureOf(publish.error)
  return (
    <Dialog
      title={t('publishVersion', { version })}
      lead={t('publishLead')}
      submitLabel={t('publishVersion', { version })}
      disabledReason={typed.trim() === word ? null : t('typeToConfirm', { word })}
      submitting={publish.isPending}
      failure={failure && <FailureLines failure={failure} />}
      danger
      onSubmit={() => publish.mutate(draft.reference)}
      onClose={onClose}
    >
      <ChangeList changes={draft.changes} />
      <Field label={t('typeVersion', { word })}>
        {(attributes) => (
          <Input
            {...attributes}
            data-autofocus
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}
