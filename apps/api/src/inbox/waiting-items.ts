import type { InboxFilter, InboxPermission, InboxView } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { approvalObstacleSql } from '../approvals/eligibility.ts'
import { type Wanted, waitingSql } from './sources.ts'

const { sql } = Prisma

/** Who looks at the queue: what they see of it is everything, what is theirs to do depends on them. */
export type Looker = { operatorId: string; permissions: readonly InboxPermission[] }

/** Why the operator may not approve the item `i`, as an expression; null where nothing is in the way. */
export const obstacleSql = ({ operatorId }: Looker): Prisma.Sql => sql`
  CASE WHEN i.requested_by IS NOT NULL THEN ${approvalObstacleSql({
    approver: sql`${operatorId}::uuid`,
    requester: sql`i.requested_by`,
    askedAt: sql`i.since`,
  })} END`

/** Whether the operator may act on the item `i`, as a condition. */
export const mayActSql = (looker: Looker): Prisma.Sql => sql`
  ((i.permission IS NULL OR i.permission = ANY (${looker.permissions}::text[])) AND ${obstacleSql(looker)} IS NULL)`

/**
 * Everything that waits with who looks after it and until when it is put off, as a relation. What was put off is back
 * when that time is over, and as soon as the thing is not as it was.
 */
export const itemsSql = (wanted: Wanted = {}): Prisma.Sql => sql`(
  SELECT w.*, coalesce(w.owner_id, m.assignee_id) AS assignee_id, snooze.until AS snoozed_until,
    CASE WHEN snooze.until IS NOT NULL THEN m.snoozed_by END AS snoozed_by
  FROM ${waitingSql(wanted)} w LEFT JOIN inbox_marks m ON m.kind = w.kind AND m.subject = w.id
  CROSS JOIN LATERAL (
    SELECT CASE WHEN m.snoozed_until > business_now() AND m.snoozed_version = w.version THEN m.snoozed_until END AS until
  ) snooze)`

/** Whether the item `i` belongs to a part of the queue, as a condition. */
export const belongsSql = (view: InboxView, looker: Looker): Prisma.Sql => {
  if (view === 'snoozed') return sql`i.snoozed_until IS NOT NULL`
  const awake = sql`i.snoozed_until IS NULL`
  const own = sql`${looker.operatorId}::uuid`
  if (view === 'mine') return sql`(${awake} AND i.assignee_id = ${own})`
  if (view === 'unassigned') return sql`(${awake} AND i.assignee_id IS NULL)`
  if (view === 'all') return awake
  return sql`(${awake} AND coalesce(i.assignee_id, ${own}) = ${own} AND ${mayActSql(looker)})`
}

/** What the filters leave of the queue, as what follows `FROM`. */
export const inboxFromSql = ({ view, kind }: InboxFilter, looker: Looker): Prisma.Sql => sql`
  ${itemsSql({ readerId: looker.operatorId })} i WHERE ${belongsSql(view, looker)} AND ${kind ? sql`i.kind = ${kind}` : sql`TRUE`}`
