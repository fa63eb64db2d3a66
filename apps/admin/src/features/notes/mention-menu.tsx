'use client'

import type { Mentions } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { pathOfNote } from '../../paths.ts'
import { IconButton } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { Popup } from '../../ui/popup.tsx'
import styles from './notes.module.css'

const READ_EVERY_MS = 60_000

/** The notes that mention whoever looks, as they stood when the list was opened: what was new stays marked meanwhile. */
function MentionList({ items, close }: { items: Mentions['items']; close: () => void }) {
  const t = useTranslations('notes')
  const [shown] = useState(items)
  if (shown.length === 0) return <p className={styles['none']}>{t('noMentions')}</p>
  return (
    <ul className={styles['mentions']}>
      {shown.map(({ id, subject, text, author, createdAt, seenAt }) => (
        <li key={id}>
          <Link
            href={pathOfNote({ id, subject })}
            prefetch={false}
            className={styles['named']}
            data-new={seenAt === null || undefined}
            onClick={close}
          >
            <span className={styles['by']}>
              <strong>{author}</strong>
              <span>{t(`subjects.${subject.kind}`)}</span>
              <DateTime time={createdAt} />
            </span>
            <span className={styles['excerpt']}>{text ?? t('erased')}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const none: Mentions = { items: [], unseen: 0 }

/** In the line above every page: how many notes mention the operator that they have not seen, and the newest of these. */
export function MentionMenu() {
  const t = useTranslations('notes')
  const { data: mentions = none } = useQuery({
    ...useTRPC().note.mentions.queryOptions(),
    staleTime: READ_EVERY_MS / 2,
    refetchInterval: READ_EVERY_MS,
  })
  const { items, unseen } = mentions
  const { press } = useAct({ call: (api) => api.note.seeMentions.mutate, invalidates: ['note', 'inbox'] })
  const newest = items[0]?.id
  const see = () => unseen > 0 && newest && press({ upTo: newest })
  const label = t('mentionsOfYou', { count: unseen })
  return (
    <Popup
      label={t('mentions')}
      align="end"
      trigger={(attributes) => (
        <IconButton {...attributes} label={label} onClick={see}>
          <Icon name="at" size={18} />
          {unseen > 0 && (
            <span className={`${layout['count']} ${styles['count']}`} aria-hidden="true">
              {unseen > 99 ? '99+' : unseen}
            </span>
          )}
        </IconButton>
      )}
    >
      {(close) => <MentionList items={items} close={close} />}
    </Popup>
  )
}
