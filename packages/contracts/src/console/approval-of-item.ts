import { waitingKinds } from '../choices.ts'
import type { WaitingApproval } from './approval.ts'
import type { InboxItem } from './inbox.ts'

/** The approval that an item of the queue is; null for anything else. */
export function approvalOf(item: InboxItem): WaitingApproval | null {
  const kind = waitingKinds.find((one) => one === item.topic)
  if (item.kind !== 'approval' || !kind) return null
  const { subject, before, after, dueAt, isOwn, obstacle, since: requestedAt } = item
  const id = item.id.slice(kind.length + 1)
  const asked = { requestedBy: item.requestedBy ?? '', requestedAt, dueAt, isOwn, obstacle }
  return { id, kind, subject, before, after, ...asked }
}
