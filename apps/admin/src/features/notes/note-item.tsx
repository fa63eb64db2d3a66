import type { NoteRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { noteAnchor } from '../../paths.ts'
import { DateTime, useClock } from '../../ui/date-time.tsx'
import { piecesOf } from './mentions.ts'
import styles from './notes.module.css'
import { isUnsaved } from './use-notes.ts'

const withdrawNote = defineAct(() => useTranslations('notes'), {
  icon: 'refund',
  permission: 'note.write',
  words: (t) => ({ label: t('withdraw'), hint: t('withdrawHint'), forbidden: (who) => t('forbidden', who) }),
  act: (t) => ({
    call: (api) => api.note.withdraw.mutate,
    invalidates: ['note', 'customer'],
    done: () => t('withdrawn'),
  }),
})

/** What a note says, with whom it mentions. */
export function NoteText({ note: { text, mentions } }: { note: Pick<NoteRow, 'text' | 'mentions'> }) {
  if (text === null) return null
  return (
    <p className={styles['text']}>
      {piecesOf(text, mentions).map(({ text: piece, isMention, at }) =>
        isMention ? (
          <strong key={at} className={styles['mention']}>
            {piece}
          </strong>
        ) : (
          <span key={at}>{piece}</span>
        ),
      )}
    </p>
  )
}

/** One note: who wrote it and when, what it says, and what became of it; `isMeant` where the address names it. */
export function NoteItem({ note, isMeant = false }: { note: NoteRow; isMeant?: boolean }) {
  const t = useTranslations('notes')
  const now = useClock()
  const { author, createdAt, withdrawnAt, withdrawableUntil, text } = note
  return (
    <li
      id={noteAnchor(note.id)}
      className={styles['note']}
      data-unsaved={isUnsaved(note) || undefined}
      data-meant={isMeant || undefined}
    >
      <div className={styles['by']}>
        <strong>{author}</strong>
        <DateTime time={createdAt} />
        {isUnsaved(note) && <span>{t('saving')}</span>}
      </div>
      {withdrawnAt && <p className={styles['gone']}>{t('wasWithdrawn')}</p>}
      {text === null && !withdrawnAt && <p className={styles['gone']}>{t('erased')}</p>}
      <NoteText note={note} />
      {withdrawableUntil && withdrawableUntil > now && (
        <DirectAct of={withdrawNote} quiet input={{ id: note.id }} />
      )}
    </li>
  )
}
