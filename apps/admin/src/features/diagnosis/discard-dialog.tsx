'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ChangeList } from './change-list.tsx'
import type { EditedDraft } from './use-draft.ts'

/** Throws the draft away, showing first what goes with it. */
export function DiscardDialog({ draft, onClose }: { draft: EditedDraft; onClose: () => void }) {
  const t = useTranslations('diagnosis')
  const trpc = useTRPC()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const { version } = draft.reference
  const discard = useMutation(
    trpc.diagnosis.discardDraft.mutationOptions({
      onSuccess: (desk) => {
        announce(t('discarded', { version }))
        onClose()
        draft.keep(desk)
      },
    }),
  )
  return (
    <Dialog
      title={t('discardVersion', { version })}
      lead={t('discardLead')}
      submitLabel={t('discardVersion', { version })}
      submitting={discard.isPending}
      failure={failureOf(discard.error)?.title ?? null}
      danger
      onSubmit={() => discard.mutate(draft.reference)}
      onClose={onClose}
    >
      <ChangeList changes={draft.changes} />
    </Dialog>
  )
}
