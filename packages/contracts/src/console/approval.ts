import { z } from 'zod'
import { approvalKinds, waitingKinds } from '../choices.ts'
import { pageFields, SerialId } from '../paging.ts'

/** What one person may not change alone, where the change itself is kept until it is decided. */
export const ApprovalKind = z.enum(approvalKinds)
export type ApprovalKind = z.infer<typeof ApprovalKind>

/** Everything that waits for a second person, wherever it is kept. */
export const WaitingKind = z.enum(waitingKinds)
export type WaitingKind = z.infer<typeof WaitingKind>

/** Why an operator may not approve what another asked for. */
export const ApprovalObstacle = z.enum([
  'own_request',
  'account_too_new',
  'factor_too_new',
  'made_by_requester',
])
export type ApprovalObstacle = z.infer<typeof ApprovalObstacle>

/** For how long an account that was made, reset or given another role takes no part in what needs a second person. */
export const newAccountHours = 24

/** A change that waits, for the operator who looks at it. */
export const WaitingApproval = z.object({
  id: z.string(),
  kind: WaitingKind,
  /** The setting, plan, version, refund or user that it is about. */
  subject: z.string(),
  before: z.json(),
  after: z.json(),
  requestedBy: z.string(),
  requestedAt: z.date(),
  /** When it takes effect by itself, where no second person may decide it. */
  dueAt: z.date().nullable(),
  /** Whether the caller asked for it, and so may take it back. */
  isOwn: z.boolean(),
  /** Why the caller may not approve it; their role aside. */
  obstacle: ApprovalObstacle.nullable(),
})
export type WaitingApproval = z.infer<typeof WaitingApproval>

/** The same with whom it concerns, and their nickname. */
export const NamedApproval = WaitingApproval.extend({
  userId: z.string().nullable(),
  customer: z.string().nullable(),
})
export type NamedApproval = z.infer<typeof NamedApproval>

/** All that waits, whoever may decide it. */
export const ApprovalListQuery = z.object(pageFields)
export type ApprovalListQuery = z.infer<typeof ApprovalListQuery>

export const ApprovalRow = WaitingApproval.omit({ isOwn: true, obstacle: true })
export type ApprovalRow = z.infer<typeof ApprovalRow>

export const ApprovalVerdict = z.object({ id: SerialId, approve: z.boolean() })
export type ApprovalVerdict = z.infer<typeof ApprovalVerdict>
