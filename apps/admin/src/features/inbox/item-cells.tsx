'use client'

import { formatFen, type InboxItem, type InboxUrgency } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { isId, truncateMiddle } from '../../format.ts'
import { ListedPerson } from '../../kit/list/listed-person.tsx'
import { paths } from '../../paths.ts'
import { useConsole, useForbidden } from '../../session/operator-context.tsx'
import { Badge, type Look } from '../../ui/badge.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Shortened } from '../../ui/identifier.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { EmptyValue } from '../../ui/text.tsx'
import { useObstacle } from '../approvals/use-obstacle.ts'
import styles from './inbox.module.css'
import { pathOfItem, useItemWords } from './item-words.ts'

const looks: Readonly<Record<InboxUrgency, Look>> = {
  urgent: { tone: 'bad' },
  normal: { tone: 'wait' },
  low: { tone: 'quiet' },
}

type ItemProps = { item: InboxItem }

export function Urgency({ item: { urgency } }: ItemProps) {
  const t = useTranslations('inbox.urgencies')
  return <Badge {...looks[urgency]}>{t(urgency)}</Badge>
}

/** Why this operator cannot act on it; null when they can. */
function useWhyNot({ permission, obstacle, isOwn }: InboxItem): string | null {
  const t = useTranslations('inbox')
  const forbidden = useForbidden(permission)
  const obstacleOf = useObstacle()
  if (isOwn) return t('own')
  return forbidden ? t('notYours', forbidden) : obstacleOf(obstacle)
}

/** What it is about: the text of a note, an id that is short, or a number of which both ends tell. */
function Note({ item, note }: ItemProps & { note: string }) {
  if (item.kind === 'mention') return note
  return isId(note) ? <Shortened value={note} /> : truncateMiddle(note, { head: 24, tail: 8 })
}

/** Whom it concerns. */
function Customer({ item: { userId, customer } }: ItemProps) {
  const idName = useTranslations('ui')('userId')
  return (
    userId && <ListedPerson id={userId} idName={idName} name={customer} href={paths.user({ id: userId })} />
  )
}

/** What waits, what it is about, and, where that is not for this operator, why; with its customer where `named`. */
export function What({ item, named = false }: ItemProps & { named?: boolean }) {
  const { name, note } = useItemWords()(item)
  const why = useWhyNot(item)
  return (
    <span className={`${layout['lines']} ${styles['what']}`}>
      <Link href={pathOfItem(item)}>{name}</Link>
      <span className={styles['about']}>
        {note && (
          <span className={layout['note']} title={note}>
            <Note item={item} note={note} />
          </span>
        )}
        {named && <Customer item={item} />}
      </span>
      {why && <span className={layout['note']}>{why}</span>}
    </span>
  )
}

export const Amount = ({ item: { amountFen } }: ItemProps) =>
  amountFen === null ? <EmptyValue /> : formatFen(amountFen)

/** Since when, and until when somebody has to decide. */
export function Since({ item: { since, dueAt } }: ItemProps) {
  const t = useTranslations('inbox')
  return (
    <span className={layout['lines']}>
      <DateTime time={since} relative />
      {dueAt && (
        <span className={layout['note']}>
          {t('dueAt')} <DateTime time={dueAt} exact />
        </span>
      )}
    </span>
  )
}

/** Who looks after it, and until when it was put off. */
export function Assignee({ item }: ItemProps) {
  const t = useTranslations('inbox')
  const { operator } = useConsole()
  const { assigneeId, assigneeEmail, snoozedUntil, snoozedByEmail } = item
  return (
    <span className={layout['lines']}>
      {assigneeId === operator.id ? t('you') : (assigneeEmail ?? t('nobody'))}
      {snoozedUntil && (
        <span className={layout['note']}>
          {t('snoozedBy', { who: snoozedByEmail ?? '' })} <DateTime time={snoozedUntil} />
        </span>
      )}
    </span>
  )
}
