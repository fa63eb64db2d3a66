'use client'

import type { NoteRow, SubjectReference } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useFailure } from '../../api-client/api-provider.tsx'
import { useForbidden } from '../../session/operator-context.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useHotkeys } from '../../ui/use-hotkeys.ts'
import type { Draft } from './note-composer.tsx'
import { NoteItem } from './note-item.tsx'
import styles from './notes.module.css'
import { useMeantNote } from './use-meant-note.ts'
import { useNotes, useSaveNote } from './use-notes.ts'

const loadComposer = () => import('./note-composer.tsx')
const NoteComposer = dynamic(() => loadComposer().then((module) => module.NoteComposer), { ssr: false })

const blank: Draft = { text: '', failure: null }

/** What is being written and how it is saved: the dialog closes at once, and is there again where saving failed. */
function useDraft(subject: SubjectReference) {
  const t = useTranslations('notes')
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [draft, setDraft] = useState<Draft | null>(null)
  const save = useSaveNote(subject, {
    onFailure: ({ text }, error) => setDraft({ text, failure: failureOf(error) }),
  })
  const composer = draft && (
    <NoteComposer
      draft={draft}
      onClose={() => setDraft(null)}
      onSave={(written) => {
        setDraft(null)
        save.mutate(written, { onSuccess: () => announce(t('saved')) })
      }}
    />
  )
  const open = useCallback(() => setDraft(blank), [])
  return { open, composer, busy: save.isPending }
}

const none: readonly NoteRow[] = []

function NoteList({ subject }: { subject: SubjectReference }) {
  const t = useTranslations('notes')
  const failureOf = useFailure()
  const query = useNotes(subject)
  const notes = query.data?.pages.flatMap(({ items }) => items) ?? none
  const meant = useMeantNote(notes)
  const failure = query.data ? null : failureOf(query.error)
  if (failure) return <FailurePanel failure={failure} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton height={60} />
  if (notes.length === 0) return <p className={styles['none']}>{t('none')}</p>
  return (
    <>
      <ol className={styles['notes']}>
        {notes.map((note) => (
          <NoteItem key={note.id} note={note} isMeant={note.id === meant} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button look="text" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('older')}
        </Button>
      )}
    </>
  )
}

/** Begins a note, or says why this role may not. */
function AddNote({ label, ...press }: { label: string; busy: boolean; onPress: () => void }) {
  const t = useTranslations('notes')
  const denied = useForbidden('note.write')
  return (
    <ActionButton
      {...press}
      icon={<Icon name="edit" />}
      quiet
      hint={t('addHint')}
      disabledReason={denied && t('forbidden', denied)}
    >
      {label}
    </ActionButton>
  )
}

/** What colleagues wrote about this thing. On its page the key `n` begins another note. */
export function NotesPanel({ subject }: { subject: SubjectReference }) {
  const t = useTranslations('notes')
  const isDenied = useForbidden('note.write') !== null
  const { open, composer, busy } = useDraft(subject)
  const hotkeys = useMemo(() => (isDenied ? [] : [['n', open] as const]), [isDenied, open])
  useHotkeys(hotkeys)
  // Who presses `n` types on at once.
  useEffect(() => void loadComposer(), [])
  return (
    <>
      <Panel title={t('title')} aside={<AddNote busy={busy} onPress={open} label={t('add')} />}>
        <NoteList subject={subject} />
      </Panel>
      {composer}
    </>
  )
}
