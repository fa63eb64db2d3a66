'use client'

import type { SavedView } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useFailure } from '../../api-client/use-failure.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useViewActs } from './use-saved-views.ts'
import { useNameFault, ViewFields } from './view-fields.tsx'

type ActProps = { page: string; view: SavedView; views: readonly SavedView[]; onClose: () => void }

function EditDialog({ page, view, views, onClose }: ActProps) {
  const t = useTranslations('views')
  const failureOf = useFailure()
  const [draft, setDraft] = useState({ name: view.name, everybody: view.everybody })
  const { edit } = useViewActs(page, onClose)
  const name = draft.name.trim()
  const nameFault = useNameFault(name)
  const isTaken = views.some((other) => other.mine && other.id !== view.id && other.name === name)
  const fault = isTaken ? t('nameTaken') : nameFault
  return (
    <Dialog
      title={t('editTitle', { name: view.name })}
      submitLabel={t('edit')}
      disabledReason={fault}
      submitting={edit.isPending}
      failure={failureOf(edit.error)?.title ?? null}
      onSubmit={() => edit.mutate({ id: view.id, ...draft, name })}
      onClose={onClose}
    >
      <ViewFields draft={draft} change={setDraft} fault={isTaken ? fault : null} />
    </Dialog>
  )
}

function RemoveDialog({ page, view, onClose }: ActProps) {
  const t = useTranslations('views')
  const failureOf = useFailure()
  const { remove } = useViewActs(page, onClose)
  return (
    <Dialog
      title={t('removeTitle', { name: view.name })}
      submitLabel={t('remove')}
      danger
      submitting={remove.isPending}
      failure={failureOf(remove.error)?.title ?? null}
      onSubmit={() => remove.mutate({ id: view.id })}
      onClose={onClose}
    >
      <p>{t(view.everybody ? 'removeShared' : 'removeOwn')}</p>
    </Dialog>
  )
}

/** What its owner may do with the view that is open; what is shared the owner of the console may take away too. */
export function ViewActs({ page, view, views }: Omit<ActProps, 'onClose'>) {
  const t = useTranslations('views')
  const mayRemoveAny = useForbidden('view.remove_any') === null
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const act = { page, view, views, onClose: () => setOpen(null) }
  const mayRemove = view.mine || mayRemoveAny
  return (
    <>
      {view.mine && (
        <Button look="text" icon={<Icon name="edit" />} onClick={() => setOpen('edit')}>
          {t('edit')}
        </Button>
      )}
      {mayRemove && (
        <Button look="text" icon={<Icon name="close" />} onClick={() => setOpen('remove')}>
          {t('remove')}
        </Button>
      )}
      {open === 'edit' && <EditDialog {...act} />}
      {open === 'remove' && <RemoveDialog {...act} />}
    </>
  )
}
