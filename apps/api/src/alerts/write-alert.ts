import { type AlertKind, type HealedBy, healedPrefix, healedResolution } from '@meridian/contracts'
import {
  column,
  execute,
  type Part,
  type Pool,
  Prisma,
  part,
  type Reading,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import { type Actor, appendAuditPart } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { keptSinceSql } from '../platform/time/business-time.ts'

const { sql } = Prisma

/**
 * The one writer of new alerts, as an insert of one for each row of `found`, a query of distinct subjects with their
 * details: an open alert of the same kind and subject is counted instead. Whoever holds the alert lease finds new ones by
 * itself. Answers `opened`: whether this made a new one.
 */
export const raiseAlertsSql = (kind: AlertKind, found: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO alerts (kind, subject, detail) SELECT ${kind}, subject, detail FROM (${found}) found
  ON CONFLICT (kind, subject) WHERE resolved_at IS NULL
  DO UPDATE SET times = alerts.times + 1, last_at = business_now()
  RETURNING xmax = 0 AS opened`

/** The same for one. */
export const raiseAlertSql = (kind: AlertKind, subject: string, detail: unknown): Prisma.Sql =>
  raiseAlertsSql(kind, sql`SELECT ${subject}::text AS subject, ${JSON.stringify(detail)}::jsonb AS detail`)

/** The same as the part `alert` of a statement. */
export const raiseAlertPart = (kind: AlertKind, subject: string, detail: unknown): Part<'alert', never> =>
  part('alert', [], raiseAlertSql(kind, subject, detail))

type AlertAction = Actor & { alertId: string }

const subjectOf = (id: string) => ({ type: 'alert', id })

function refuseLost(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new DomainError('changed_meanwhile')
}

/**
 * An operator makes an open alert theirs, also from somebody else.
 * @throws DomainError changed_meanwhile when it is resolved, or gone
 */
export async function takeAlert(pool: Pool, { alertId, operatorId, from }: AlertAction): Promise<void> {
  const entry = {
    operatorId,
    action: 'alert.take',
    subject: subjectOf(alertId),
    after: { ownerId: operatorId },
  }
  const taken = sql`
    UPDATE alerts SET owner_id = ${operatorId}::uuid WHERE id = ${alertId}::bigint AND resolved_at IS NULL RETURNING id`
  const query = statement({
    name: 'take-alert',
    parts: [part('taken', [], taken), appendAuditPart(rowsOf('taken'), entry, from)],
    select: reading(['taken'], sql`SELECT id FROM taken`),
    rows: { id: column.bigint },
  })
  refuseLost(await execute(pool, query))
}

export type AlertAssignment = AlertAction & { ownerId: string | null; seenOwnerId: string | null }

/**
 * An operator gives an open alert to somebody, or to nobody: only while it is with whom they saw it.
 * @throws DomainError changed_meanwhile when somebody else has it, when it is resolved, or gone
 */
export async function assignAlert(pool: Pool, assignment: AlertAssignment): Promise<void> {
  const { alertId, ownerId, seenOwnerId, operatorId, from } = assignment
  const entry = {
    operatorId,
    action: 'alert.assign',
    subject: subjectOf(alertId),
    before: { ownerId: seenOwnerId },
    after: { ownerId },
  }
  const given = sql`
    UPDATE alerts SET owner_id = ${ownerId}::uuid
    WHERE id = ${alertId}::bigint AND resolved_at IS NULL AND owner_id IS NOT DISTINCT FROM ${seenOwnerId}::uuid RETURNING id`
  const query = statement({
    name: 'assign-alert',
    parts: [part('given', [], given), appendAuditPart(rowsOf('given'), entry, from)],
    select: reading(['given'], sql`SELECT id FROM given`),
    rows: { id: column.bigint },
  })
  refuseLost(await execute(pool, query))
}

type Resolution = AlertAction & { resolution: string }

export function resolveAlertStatement({ alertId, operatorId, from, resolution }: Resolution) {
  const entry = { operatorId, action: 'alert.resolve', subject: subjectOf(alertId), after: { resolution } }
  const resolved = sql`
    UPDATE alerts SET resolved_at = business_now(), resolved_by = ${operatorId}::uuid, resolution = ${resolution},
      owner_id = coalesce(owner_id, ${operatorId}::uuid)
    WHERE id = ${alertId}::bigint AND resolved_at IS NULL RETURNING id`
  return statement({
    name: 'resolve-alert',
    parts: [part('resolved', [], resolved), appendAuditPart(rowsOf('resolved'), entry, from)],
    select: reading(['resolved'], sql`SELECT id FROM resolved`),
    rows: { id: column.bigint },
  })
}

/**
 * An operator says how an alert ended. Whoever has no owner yet is owned by who resolves it; the next of its kind and
 * subject opens a new one.
 * @throws DomainError changed_meanwhile when it is resolved already, or gone
 */
export async function resolveAlert(pool: Pool, resolution: Resolution): Promise<void> {
  refuseLost(await execute(pool, resolveAlertStatement(resolution)))
}

/**
 * The end of an alert by the act it asked for, as the part `settled` of a statement: `acted` is a relation with the
 * subject as out_trade_no.
 */
export const settleAlertPart = <Reads extends string>(
  kind: AlertKind,
  acted: Reading<Reads>,
  { operatorId, resolution }: { operatorId: string; resolution: string },
): Part<'settled', Reads> =>
  part(
    'settled',
    acted.reads,
    sql`
  UPDATE alerts SET resolved_at = business_now(), resolved_by = ${operatorId}::uuid, resolution = ${resolution},
    owner_id = coalesce(owner_id, ${operatorId}::uuid)
  WHERE kind = ${kind} AND resolved_at IS NULL AND subject IN (SELECT out_trade_no FROM ${acted.sql})
  RETURNING id`,
  )

/**
 * The end of every alert of a kind that is over: `how` is an expression on alert `a`, a word of HealedBy or null. One
 * that was counted again meanwhile is judged the next time.
 */
export function healAlertsStatement(kind: AlertKind, { how, limit }: { how: Prisma.Sql; limit: number }) {
  const judged = sql`
    SELECT a.id, a.times, ${how} AS how FROM (
      SELECT * FROM alerts WHERE kind = ${kind} AND resolved_at IS NULL ORDER BY random() LIMIT ${limit}) a`
  const healed = sql`
    UPDATE alerts SET resolved_at = business_now(), resolution = ${healedPrefix} || judged.how
    FROM judged
    WHERE alerts.id = judged.id AND judged.how IS NOT NULL AND alerts.resolved_at IS NULL AND alerts.times = judged.times
    RETURNING alerts.subject`
  return statement({
    name: `heal-${kind}`,
    parts: [part('judged', [], judged), part('healed', ['judged'], healed)],
    select: reading(['healed'], sql`SELECT subject FROM healed`),
    rows: { subject: column.text },
  })
}

/** The end of an alert whose matter is over, as an update: nobody resolved it, `by` says what ended it. */
export const endAlertSql = (kind: AlertKind, subject: string, by: HealedBy): Prisma.Sql => sql`
  UPDATE alerts SET resolved_at = business_now(), resolution = ${healedResolution(by)}
  WHERE kind = ${kind} AND subject = ${subject} AND resolved_at IS NULL
  RETURNING id`

/** The same as the part `ended` of a statement. */
export const endAlertPart = (kind: AlertKind, subject: string, by: HealedBy): Part<'ended', never> =>
  part('ended', [], endAlertSql(kind, subject, by))

/** Alerts that were resolved long ago, at most so many at once. */
export const purgeAlertsSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM alerts WHERE id IN (
    SELECT id FROM alerts WHERE opened_at < ${keptSinceSql('alerts')} AND resolved_at < ${keptSinceSql('alerts')}
    ORDER BY opened_at, id LIMIT ${limit})
  RETURNING 1 AS gone`

/** Old messages to channels and tests that nobody sent in time, at most so many at once. */
export const purgeMessagesSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM alert_messages WHERE id IN (
    SELECT id FROM alert_messages WHERE created_at < ${keptSinceSql('alert_messages')}
      OR (state = 'waiting' AND created_at < ${keptSinceSql('waiting_alert_messages')})
    ORDER BY created_at, id LIMIT ${limit})
  RETURNING 1 AS gone`
