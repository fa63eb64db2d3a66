import { z } from 'zod'
import { inboxKinds, inboxTopicsOfRefunds, inboxUrgencies, inboxViews } from '../choices.ts'
import { countsOf, pageFields } from '../paging.ts'
import { ApprovalObstacle, type WaitingKind } from './approval.ts'
import type { OperatorRole } from './operator.ts'
import { mayOperator, type Permission } from './permissions.ts'

/** What waits for somebody, by where it is kept: a row of a source of the queue. */
export const InboxKind = z.enum(inboxKinds)
export type InboxKind = z.infer<typeof InboxKind>

/** How urgent it is; within one urgency what waits longest stands first. */
export const InboxUrgency = z.enum(inboxUrgencies)
export type InboxUrgency = z.infer<typeof InboxUrgency>

/** Why a refund that was approved waits for a person. */
export const StuckRefund = z.enum(inboxTopicsOfRefunds)
export type StuckRefund = z.infer<typeof StuckRefund>

/** What acting on it takes. */
export const InboxPermission = z.enum([
  'refund.approve',
  'refund.retry',
  'grant.approve',
  'plan.edit',
  'setting.edit',
  'diagnosis.publish',
  'order.decide',
  'order.decide_late',
  'alert.resolve',
  'reconciliation.resolve',
] as const satisfies readonly Permission[])
export type InboxPermission = z.infer<typeof InboxPermission>

/** What deciding each kind of approval takes. */
export const approvalPermissions: Readonly<Record<WaitingKind, InboxPermission>> = {
  refund: 'refund.approve',
  refund_stop: 'refund.approve',
  grant: 'grant.approve',
  plan: 'plan.edit',
  setting: 'setting.edit',
  diagnosis: 'diagnosis.publish',
}

/** What of the queue an operator of this role may act on. */
export const inboxPermissionsOf = (role: OperatorRole): InboxPermission[] =>
  InboxPermission.options.filter((permission) => mayOperator(role, permission))

/** What can be given to somebody and put off: a mention waits for the one it names. */
export const AssignableKind = InboxKind.exclude(['mention'])
export type AssignableKind = z.infer<typeof AssignableKind>

/** One thing that waits, by its source and its id there; of an approval `kind.id`. */
export const InboxReference = z.object({ kind: AssignableKind, id: z.string().trim().min(1).max(64) })
export type InboxReference = z.infer<typeof InboxReference>

export const InboxItem = z.object({
  kind: InboxKind,
  id: z.string(),
  /**
   * What of its kind: the kind of approval or alert, why an order is on hold, why a refund is stuck, how a bill differs, on
   * what kind of thing a note is.
   */
  topic: z.string(),
  /** What it is about: a number, a code, an id, or the words of an alert; of a mention, what the note is on. */
  subject: z.string(),
  /** Whom it concerns, and their nickname: who made the order, who gets the days, whom a note is about. */
  userId: z.string().nullable(),
  customer: z.string().nullable(),
  amountFen: z.int().nullable(),
  urgency: InboxUrgency,
  since: z.date(),
  /** When it takes effect by itself. */
  dueAt: z.date().nullable(),
  assigneeId: z.string().nullable(),
  assigneeEmail: z.string().nullable(),
  /** Null once that is over, or once it changed since it was put off. */
  snoozedUntil: z.date().nullable(),
  snoozedByEmail: z.string().nullable(),
  /** What acting on it takes; null where whoever it waits for may. */
  permission: InboxPermission.nullable(),
  /** Whether this operator may act on it: their role may, and nothing is in the way. */
  mayAct: z.boolean(),
  isOwn: z.boolean(),
  obstacle: ApprovalObstacle.nullable(),
  /** Of an approval: what becomes of what, and who asked. Of a mention, `after` holds its author and how its text begins. */
  before: z.json(),
  after: z.json(),
  requestedBy: z.string().nullable(),
})
export type InboxItem = z.infer<typeof InboxItem>

/**
 * Parts of the queue: what this operator may act on and nobody else looks after; what they look after; what nobody
 * does; everything; what was put off, which no other part shows.
 */
export const InboxView = z.enum(inboxViews)
export type InboxView = z.infer<typeof InboxView>

export const InboxFilter = z.object({ view: InboxView.default('you'), kind: InboxKind.optional() })
export type InboxFilter = z.infer<typeof InboxFilter>

export const InboxQuery = InboxFilter.extend(pageFields)
export type InboxQuery = z.infer<typeof InboxQuery>

/** How much lies in each part, of the kind that is asked for; and how much of each kind in the part that is. */
export const InboxCounts = z.object({ views: countsOf(InboxView), kinds: countsOf(InboxKind) })
export type InboxCounts = z.infer<typeof InboxCounts>

/** To whom it is given, null to nobody; refused when it is not with whom the caller saw it. */
export const InboxAssignment = InboxReference.extend({
  assigneeId: z.uuid().nullable(),
  seenAssigneeId: z.uuid().nullable(),
})
export type InboxAssignment = z.infer<typeof InboxAssignment>

/** Until when it is put off; null brings it back. */
export const InboxSnooze = InboxReference.extend({ until: z.date().nullable() })
export type InboxSnooze = z.infer<typeof InboxSnooze>

/** Who something may be given to. */
export const InboxColleague = z.object({ id: z.string(), name: z.string(), email: z.string() })
export type InboxColleague = z.infer<typeof InboxColleague>
