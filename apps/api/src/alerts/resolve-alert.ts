import type { AlertKind } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { auditedFrom, type Footprint } from '../audit/write-audit.ts'
import { DomainError } from '../domain-error.ts'

const { sql } = Prisma

export type AlertAct = { alertId: string; operatorId: string; from: Footprint }

const subjectOf = (id: string) => ({ type: 'alert', id })

function refuseLost(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new DomainError('changed_meanwhile')
}

/**
 * An operator makes an open alert theirs, also from somebody else.
 * @throws DomainError changed_meanwhile when it is resolved, or gone
 */
export async function takeAlert(pool: Pool, { alertId, operatorId, from }: AlertAct): Promise<void> {
  const act = {
    operatorId,
    action: 'alert.take',
    subject: subjectOf(alertId),
    after: { ownerId: operatorId },
  }
  const rows = await run(
    pool,
    'take-alert',
    sql`
      WITH taken AS (
        UPDATE alerts SET owner_id = ${operatorId}::uuid WHERE id = ${alertId}::bigint AND resolved_at IS NULL RETURNING id),
      audited AS (${auditedFrom(sql`taken`, act, from)})
      SELECT id FROM taken`,
  )
  refuseLost(rows)
}

/**
 * An operator says how an alert ended. Whoever has no owner yet is owned by who resolves it; the next of its kind and
 * subject opens a new one.
 * @throws DomainError changed_meanwhile when it is resolved already, or gone
 */
export async function resolveAlert(
  pool: Pool,
  { alertId, operatorId, from, resolution }: AlertAct & { resolution: string },
): Promise<void> {
  const act = { operatorId, action: 'alert.resolve', subject: subjectOf(alertId), after: { resolution } }
  const rows = await run(
    pool,
    'resolve-alert',
    sql`
      WITH resolved AS (
        UPDATE alerts SET resolved_at = business_now(), resolved_by = ${operatorId}::uuid, resolution = ${resolution},
          owner_id = coalesce(owner_id, ${operatorId}::uuid)
        WHERE id = ${alertId}::bigint AND resolved_at IS NULL RETURNING id),
      audited AS (${auditedFrom(sql`resolved`, act, from)})
      SELECT id FROM resolved`,
  )
  refuseLost(rows)
}

/** The end of an alert by the act it asked for, as an update: `acted` is a relation with the subject as out_trade_no. */
export const settledAlert = (
  kind: AlertKind,
  acted: Prisma.Sql,
  { operatorId, resolution }: { operatorId: string; resolution: string },
): Prisma.Sql => sql`
  UPDATE alerts SET resolved_at = business_now(), resolved_by = ${operatorId}::uuid, resolution = ${resolution},
    owner_id = coalesce(owner_id, ${operatorId}::uuid)
  WHERE kind = ${kind} AND resolved_at IS NULL AND subject IN (SELECT out_trade_no FROM ${acted})
  RETURNING id`

/** The end of an alert whose condition is over, as an update: nobody resolved it, `how` says what ended it. */
export const endedAlertSql = (kind: AlertKind, subject: string, how: string): Prisma.Sql => sql`
  UPDATE alerts SET resolved_at = business_now(), resolution = ${how}
  WHERE kind = ${kind} AND subject = ${subject} AND resolved_at IS NULL
  RETURNING id`
