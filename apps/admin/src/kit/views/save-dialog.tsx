'use client'

import type { SavedView } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useFailure } from '../../api-client/use-failure.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useViewActs } from './use-saved-views.ts'
import { useNameFault, ViewFields } from './view-fields.tsx'

type SaveDialogProps = { page: string; query: string; views: readonly SavedView[]; onClose: () => void }

/** Keeps the filters that are set under a name; the name of one's own view replaces what that view shows. */
export function SaveDialog({ page, query, views, onClose }: SaveDialogProps) {
  const t = useTranslations('views')
  const failureOf = useFailure()
  const [draft, setDraft] = useState({ name: '', everybody: false })
  const { save } = useViewActs(page, onClose)
  const name = draft.name.trim()
  const replaces = views.some((view) => view.mine && view.name === name)
  return (
    <Dialog
      title={t('saveTitle')}
      lead={t('saveLead')}
      submitLabel={t(replaces ? 'replace' : 'save')}
      disabledReason={useNameFault(name)}
      submitting={save.isPending}
      failure={failureOf(save.error)?.title ?? null}
      onSubmit={() => save.mutate({ page, query, ...draft, name })}
      onClose={onClose}
    >
      <ViewFields draft={draft} change={setDraft} />
    </Dialog>
  )
}
