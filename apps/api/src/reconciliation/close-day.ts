import type { ClosingVerdict } from '@meridian/contracts'
import { type Database, Prisma } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { transactionTime } from '../platform/time/business-time.ts'

type DifferenceAction = Actor & { differenceId: bigint }

/** `gone`: there is no such difference, or it is resolved already. */
export type DifferenceVerdict = 'done' | 'gone'

const subjectOf = (id: bigint) => ({ type: 'reconciliation_difference', id: String(id) })

/** An operator makes a difference theirs, also from somebody else. */
export async function takeDifference(
  database: Database,
  { differenceId: id, operatorId, from }: DifferenceAction,
): Promise<DifferenceVerdict> {
  return database.$transaction(async (db) => {
    const where = { id, state: 'open' } as const
    const before = await db.reconciliationDifference.findFirst({ where, select: { ownerId: true } })
    const { count } = await db.reconciliationDifference.updateMany({ where, data: { ownerId: operatorId } })
    if (count === 0) return 'gone'
    const entry = { operatorId, action: 'reconciliation.take', subject: subjectOf(id) }
    await writeAudit(
      db,
      { ...entry, before: { ownerId: before?.ownerId ?? null }, after: { ownerId: operatorId } },
      from,
    )
    return 'done'
  })
}

type DifferenceAssignment = DifferenceAction & { ownerId: string | null; seenOwnerId: string | null }

/** An operator gives a difference to somebody, or to nobody: only while it is with whom they saw it. */
export async function assignDifference(
  database: Database,
  { differenceId: id, ownerId, seenOwnerId, operatorId, from }: DifferenceAssignment,
): Promise<DifferenceVerdict> {
  return database.$transaction(async (db) => {
    const { count } = await db.reconciliationDifference.updateMany({
      where: { id, state: 'open', ownerId: seenOwnerId },
      data: { ownerId },
    })
    if (count === 0) return 'gone'
    const entry = { operatorId, action: 'reconciliation.assign', subject: subjectOf(id) }
    await writeAudit(db, { ...entry, before: { ownerId: seenOwnerId }, after: { ownerId } }, from)
    return 'done'
  })
}

/** An operator says how a difference ended. Whoever has no owner yet is owned by who resolves it. */
export async function resolveDifference(
  database: Database,
  { differenceId: id, operatorId, from, resolution }: DifferenceAction & { resolution: string },
): Promise<DifferenceVerdict> {
  return database.$transaction(async (db) => {
    const { count } = await db.reconciliationDifference.updateMany({
      where: { id, state: 'open' },
      data: { state: 'resolved', resolution, resolvedBy: operatorId, resolvedAt: await transactionTime(db) },
    })
    if (count === 0) return 'gone'
    await db.reconciliationDifference.updateMany({
      where: { id, ownerId: null },
      data: { ownerId: operatorId },
    })
    const entry = { operatorId, action: 'reconciliation.resolve', subject: subjectOf(id) }
    await writeAudit(db, { ...entry, after: { resolution } }, from)
    return 'done'
  })
}

type Locked = { state: string; open: number; explained: boolean }

/** Why a day cannot be closed, or null. */
function obstacle(day: Locked | undefined): Exclude<ClosingVerdict, 'closed'> | null {
  if (!day || day.state === 'open') return 'not_matched'
  if (day.state === 'closed') return 'already_closed'
  if (day.open > 0) return 'open_differences'
  return day.explained ? null : 'unexplained'
}

const lockedDay = (date: string): Prisma.Sql => Prisma.sql`
  SELECT d.state::text AS state,
    (SELECT count(*)::int FROM reconciliation_differences x WHERE x.date = d.date AND x.state = 'open') AS open,
    (SELECT d.bill_fen - d.order_fen = coalesce(sum(bill_gap_fen), 0)
        AND d.order_fen - d.ledger_fen = coalesce(sum(ledger_gap_fen), 0)
      FROM reconciliation_differences x WHERE x.date = d.date) AS explained
  FROM reconciliation_days d WHERE d.date = ${date}::date FOR UPDATE OF d`

/**
 * Closes a matched day whose every difference is resolved and whose three sums are equal or explained. A closed day
 * stays closed: what is found later becomes an adjustment.
 */
export async function closeDay(
  database: Database,
  { date, operatorId, from }: Actor & { date: string },
): Promise<ClosingVerdict> {
  return database.$transaction(async (db) => {
    const [day] = await db.$queryRaw<Locked[]>(lockedDay(date))
    const refused = obstacle(day)
    if (refused) return refused
    const closed = await db.reconciliationDay.update({
      where: { date: new Date(date) },
      data: { state: 'closed', closedBy: operatorId, closedAt: await transactionTime(db) },
      select: { orderFen: true, ledgerFen: true, billFen: true },
    })
    const after = {
      orderFen: Number(closed.orderFen),
      ledgerFen: Number(closed.ledgerFen),
      billFen: Number(closed.billFen),
    }
    const subject = { type: 'reconciliation_day', id: date }
    await writeAudit(db, { operatorId, action: 'reconciliation.close_day', subject, after }, from)
    return 'closed'
  })
}
