'use client'

import type { SavedView } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useFailure } from '../../api-client/api-provider.tsx'
import { useForbidden } from '../../session/operator-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useViewActs } from './use-saved-views.ts'
import styles from './views.module.css'

export type ViewDraft = { name: string; everybody: boolean }

type ViewFieldsProps = { draft: ViewDraft; change: (draft: ViewDraft) => void; fault?: string | null }

/** What a view is called, and for whom it is. */
export function ViewFields({ draft, change, fault = null }: ViewFieldsProps) {
  const t = useTranslations('views')
  const mayShare = useForbidden('view.share') === null
  return (
    <>
      <TextField
        label={t('name')}
        type="text"
        autoComplete="off"
        hint={t('nameHint')}
        fault={fault}
        value={draft.name}
        onChange={(name) => change({ ...draft, name })}
      />
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={draft.everybody}
          disabled={!mayShare}
          onChange={(event) => change({ ...draft, everybody: event.target.checked })}
        />
        <span>
          {t('everybody')}
          <small>{t(mayShare ? 'everybodyHint' : 'viewerKeeps')}</small>
        </span>
      </label>
    </>
  )
}

/** The longest name that is kept. */
const LONGEST_NAME = 40

/** Why a name will not do; null when it will. */
export function useNameFault(name: string): string | null {
  const t = useTranslations('views')
  const written = name.trim()
  if (written === '') return t('nameNeeded')
  return written.length > LONGEST_NAME ? t('nameTooLong', { count: LONGEST_NAME }) : null
}

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
