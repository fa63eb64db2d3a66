import type { InboxItem } from './inbox.ts'
import type { SubjectKind, SubjectReference } from './subject.ts'

const subjectKinds: readonly SubjectKind[] = ['order', 'refund', 'user', 'device', 'difference', 'alert']

/** A note that names the one who looks: who wrote it, on what, and how it begins; null text once that is erased. */
export type Mention = { noteId: string; subject: SubjectReference; author: string; text: string | null }

/** The mention that an item of the queue is; null for anything else. */
export function mentionOf({ kind, id, topic, subject, after }: InboxItem): Mention | null {
  const about = subjectKinds.find((one) => one === topic)
  const isTold = typeof after === 'object' && after !== null && !Array.isArray(after)
  if (kind !== 'mention' || !about || !isTold) return null
  const { author, text } = after
  if (typeof author !== 'string') return null
  return {
    noteId: id,
    subject: { kind: about, id: subject },
    author,
    text: typeof text === 'string' ? text : null,
  }
}
