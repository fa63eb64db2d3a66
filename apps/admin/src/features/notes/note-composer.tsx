'use client'

import { MOST_MENTIONS, NoteText } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Failure } from '../../ui/failure-panel.tsx'
import { Notice } from '../../ui/notice.tsx'
import { MentionArea } from './mention-area.tsx'
import { mentionsIn } from './mentions.ts'
import styles from './notes.module.css'
import { personalIn } from './personal.ts'

/** What is being written: begun anew, or given back because it could not be saved. */
export type Draft = { text: string; failure: Failure | null }

export type Written = { text: string; mentions: string[]; names: string[] }

type NoteComposerProps = {
  draft: Draft
  onSave: (written: Written) => void
  onClose: () => void
}

/** A small dialog for one note: it closes as soon as it is sent, and comes back with the text where that failed. */
export function NoteComposer({ draft, onSave, onClose }: NoteComposerProps) {
  const t = useTranslations('notes')
  const id = useId()
  const [text, setText] = useState(draft.text)
  const { data } = useQuery(useTRPC().note.colleagues.queryOptions())
  const colleagues = data?.items ?? []
  const named = mentionsIn(text, colleagues)
  const read = NoteText.safeParse(text)
  const personal = personalIn(text)
  const obstacle = named.length > MOST_MENTIONS ? t('tooManyMentions', { most: String(MOST_MENTIONS) }) : null
  return (
    <Dialog
      title={t('add')}
      submitLabel={t('save')}
      disabledReason={read.success ? obstacle : t('empty')}
      submitting={false}
      failure={draft.failure?.title}
      onClose={onClose}
      onSubmit={() => {
        if (!read.success) return
        onSave({
          text: read.data,
          mentions: named.map((colleague) => colleague.id),
          names: named.map(({ name }) => name),
        })
      }}
    >
      <div className={styles['composer']}>
        <label htmlFor={id}>{t('text')}</label>
        <MentionArea id={id} text={text} colleagues={colleagues} onChange={setText} />
        <p id={`${id}-note`} className={styles['keys']}>
          {t('keys')}
        </p>
        {personal && (
          <Notice tone="wait" role="status">
            {t(`personal.${personal}`)}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}
