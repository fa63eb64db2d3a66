import {
  type InboxAssignment,
  InboxPermission,
  type InboxReference,
  type InboxSnooze,
  longestSnoozeDays,
  permissions,
} from '@meridian/contracts'
import { column, nullable, type OpenDatabase, oneOf, Prisma, type RowOf } from '@meridian/db'
import { assignAlert } from '../alerts/write-alert.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { keptSinceSql } from '../platform/time/business-time.ts'
import { assignDifference } from '../reconciliation/close-day.ts'
import { itemsSql } from './waiting-items.ts'

const { sql } = Prisma

type Stores = Pick<OpenDatabase, 'pool' | 'prisma'>

const foundColumns = {
  permission: oneOf(InboxPermission.options),
  version: column.text,
  snoozedUntil: nullable(column.instant),
}
type Found = RowOf<typeof foundColumns>

/**
 * The thing as it waits now.
 * @throws DomainError changed_meanwhile when it waits no more
 */
async function findWaiting({ pool }: Stores, { kind, id }: InboxReference): Promise<Found> {
  const found = sql`SELECT i.permission, i.version, i.snoozed_until AS "snoozedUntil" FROM ${itemsSql({ only: { kind, id } })} i`
  const [row] = await readLimited(pool, found, foundColumns)
  if (!row) throw new DomainError('changed_meanwhile')
  return row
}

/** Nobody is given what their role may not act on, or what they would never see. */
async function requireAssignee({ prisma }: Stores, assigneeId: string, { permission }: Found): Promise<void> {
  const able = await prisma.operator.count({
    where: { id: assigneeId, disabledAt: null, role: { in: [...permissions[permission]] } },
  })
  if (able === 0) throw new DomainError('invalid_request')
}

const subjectOf = ({ kind, id }: InboxReference) => ({ type: 'inbox', id: `${kind} ${id}` })

/** Of two who claim the same at once, one gets it: the other's row is not as they saw it. */
const assignedSql = ({ kind, id, assigneeId, seenAssigneeId }: InboxAssignment): Prisma.Sql => sql`
  INSERT INTO inbox_marks AS mark (kind, subject, assignee_id)
  SELECT ${kind}, ${id}, ${assigneeId}::uuid
  WHERE ${seenAssigneeId}::uuid IS NULL OR EXISTS (SELECT FROM inbox_marks WHERE kind = ${kind} AND subject = ${id})
  ON CONFLICT (kind, subject) DO UPDATE SET assignee_id = excluded.assignee_id, updated_at = business_now()
    WHERE mark.assignee_id IS NOT DISTINCT FROM ${seenAssigneeId}::uuid`

/**
 * Gives what waits to somebody, or to nobody. Alerts and differences have an owner of their own, which their nouns
 * write; of everything else it is kept here.
 * @throws DomainError changed_meanwhile when somebody else has it by now, or it waits no more; invalid_request for
 * somebody who may not act on it
 */
export async function assignItem(stores: Stores, assignment: InboxAssignment & Actor): Promise<void> {
  const { kind, id, assigneeId: ownerId, seenAssigneeId: seenOwnerId, operatorId, from } = assignment
  const found = await findWaiting(stores, assignment)
  if (ownerId) await requireAssignee(stores, ownerId, found)
  const given = { ownerId, seenOwnerId, operatorId, from }
  if (kind === 'alert') return assignAlert(stores.pool, { alertId: id, ...given })
  if (kind === 'difference') {
    const verdict = await assignDifference(stores.prisma, { differenceId: BigInt(id), ...given })
    if (verdict === 'gone') throw new DomainError('changed_meanwhile')
    return
  }
  await stores.prisma.$transaction(async (db) => {
    if ((await db.$executeRaw(assignedSql(assignment))) === 0) throw new DomainError('changed_meanwhile')
    const entry = { operatorId, action: 'inbox.assign', subject: subjectOf(assignment) }
    await writeAudit(
      db,
      { ...entry, before: { assigneeId: seenOwnerId }, after: { assigneeId: ownerId } },
      from,
    )
  })
}

const snoozedSql = ({ kind, id, until, operatorId, version }: InboxSnooze & Actor & Found): Prisma.Sql => sql`
  INSERT INTO inbox_marks (kind, subject, snoozed_until, snoozed_by, snoozed_version)
  SELECT ${kind}, ${id}, given.until, CASE WHEN given.until IS NOT NULL THEN ${operatorId}::uuid END,
    CASE WHEN given.until IS NOT NULL THEN ${version} END
  FROM (SELECT ${until}::timestamptz AS until) given
  WHERE given.until IS NULL OR given.until > business_now()
    AND given.until <= business_now() + ${longestSnoozeDays}::int * interval '24 hours'
  ON CONFLICT (kind, subject) DO UPDATE SET snoozed_until = excluded.snoozed_until, snoozed_by = excluded.snoozed_by,
    snoozed_version = excluded.snoozed_version, updated_at = business_now()`

/**
 * Puts what waits off for everybody until then, or brings it back. It comes back by itself when that is over, or when
 * it is not any more as it is now.
 * @throws DomainError changed_meanwhile when it waits no more; invalid_request for a time that is over or too far away
 */
export async function snoozeItem(stores: Stores, snooze: InboxSnooze & Actor): Promise<void> {
  const { until, operatorId, from } = snooze
  const found = await findWaiting(stores, snooze)
  await stores.prisma.$transaction(async (db) => {
    if ((await db.$executeRaw(snoozedSql({ ...snooze, ...found }))) === 0)
      throw new DomainError('invalid_request')
    const entry = { operatorId, action: 'inbox.snooze', subject: subjectOf(snooze) }
    const [before, after] = [found.snoozedUntil, until].map((at) => ({ until: at?.toISOString() ?? null }))
    await writeAudit(db, { ...entry, ...(before && { before }), ...(after && { after }) }, from)
  })
}

/** What nobody touched for long, at most so much at once. */
export const purgeMarksSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM inbox_marks WHERE (kind, subject) IN (
    SELECT kind, subject FROM inbox_marks WHERE updated_at < ${keptSinceSql('inbox_marks')} ORDER BY updated_at LIMIT ${limit})
  RETURNING 1 AS gone`
