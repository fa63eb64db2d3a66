import { approvalOf, type InboxItem, inboxTopicsOfRefunds, mentionOf } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { pathOfNote, pathOfSubject, paths } from '../../paths.ts'
import { useAlertKind } from '../alerts/open-alerts.tsx'
import { desks, useApprovalWords } from '../approvals/approval-words.ts'

type ItemWords = { name: string; note: string | null }

/** The note on the page of what it was written on. */
function pathOfMention(item: InboxItem): string {
  const mention = mentionOf(item)
  return mention ? pathOfNote({ id: mention.noteId, subject: mention.subject }) : paths.inbox()
}

/** The page on which the item is acted on. */
export function pathOfItem(item: InboxItem): string {
  const approval = approvalOf(item)
  if (approval) return desks[approval.kind].href(approval)
  if (item.kind === 'approval') return paths.approvals()
  if (item.kind === 'mention') return pathOfMention(item)
  const id = item.kind === 'order' || item.kind === 'refund' ? item.subject : item.id
  return pathOfSubject({ kind: item.kind, id })
}

/** What waits in one sentence, and what it is about. */
export function useItemWords(): (item: InboxItem) => ItemWords {
  const t = useTranslations('inbox')
  const { order, reconciliation, notes } = useMessages()
  const parked: Readonly<Record<string, string>> = order.parkReasons
  const differences: Readonly<Record<string, string>> = reconciliation.kinds
  const alertOf = useAlertKind()
  const wordsOf = useApprovalWords()
  return (item) => {
    const { kind, topic, subject } = item
    const approval = approvalOf(item)
    if (approval) {
      const { name, change } = wordsOf(approval)
      return { name, note: change }
    }
    const mention = mentionOf(item)
    if (mention) {
      const { author: who, text, subject: about } = mention
      return { name: t('mentioned', { who, what: notes.subjects[about.kind] }), note: text ?? notes.erased }
    }
    const stuck = inboxTopicsOfRefunds.find((one) => one === topic)
    if (kind === 'refund' && stuck) return { name: t(`stuck.${stuck}`), note: subject }
    if (kind === 'order') return { name: t('onHold', { why: parked[topic] ?? topic }), note: subject }
    if (kind === 'difference')
      return { name: t('difference', { what: differences[topic] ?? topic }), note: subject }
    return { name: kind === 'alert' ? alertOf(topic) : topic, note: subject }
  }
}
