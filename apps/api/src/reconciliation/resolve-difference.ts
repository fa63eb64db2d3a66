import type { Database } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { transactionTime } from '../platform/time/business-time.ts'

export type DifferenceAction = Actor & { differenceId: bigint }

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
