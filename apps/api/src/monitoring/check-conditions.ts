import type { AlertKind } from '@meridian/contracts'
import { column, execute, nullable, oneOf, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { endAlertSql, raiseAlertSql } from '../alerts/write-alert.ts'
import type { Services } from '../services.ts'
import { before, type Condition, dayMs, minuteMs, type Watch, type WatchContext } from './condition.ts'
import { backupOld, databaseTimelineChanged, limitsNotShared } from './conditions/database-and-redis.ts'
import { exportFailing } from './conditions/export-failing.ts'
import { jobDead, workersSilent } from './conditions/jobs.ts'
import { keyExpiring } from './conditions/key-expiring.ts'
import { outboxStuck } from './conditions/outbox-stuck.ts'
import { paymentsFailing, paymentsMissing, prepayFailing } from './conditions/payments.ts'
import { notificationsRefused, platformUnreachable } from './conditions/platform.ts'
import { reconciliationMissing } from './conditions/reconciliation-missing.ts'
import { readObservations } from './observations.ts'

/**
 * Every condition that is watched, in the order of judging: whether the platform is there is asked first, and what was
 * observed is known already.
 */
const watches: readonly Watch[] = [
  platformUnreachable,
  paymentsFailing,
  notificationsRefused,
  limitsNotShared,
  prepayFailing,
  databaseTimelineChanged,
  workersSilent,
  paymentsMissing,
  jobDead,
  outboxStuck,
  reconciliationMissing,
  keyExpiring,
  backupOld,
  exportFailing,
]

const knownColumns = {
  kind: oneOf(watches.map(({ kind }) => kind)),
  subject: column.text,
  open: column.boolean,
  openedAt: column.instant,
  lastAt: column.instant,
  /** When a person closed it; null where it ended by itself. */
  closedAt: nullable(column.instant),
}
type Known = RowOf<typeof knownColumns>

/** What is still there of what was said about each subject of what is watched: the newest alert of it. */
const knownAlerts = (pool: Pool, now: Date): Promise<Known[]> =>
  execute(
    pool,
    query(
      null,
      Prisma.sql`
      SELECT DISTINCT ON (kind, subject) kind, subject, resolved_at IS NULL AS open, opened_at AS "openedAt",
        last_at AS "lastAt", CASE WHEN resolved_by IS NOT NULL THEN resolved_at END AS "closedAt"
      FROM alerts
      WHERE kind = ANY(${watches.map(({ kind }) => kind)}::text[])
        AND (resolved_at IS NULL OR resolved_at > ${before(now, 30 * dayMs)}::timestamptz)
      ORDER BY kind, subject, id DESC`,
      knownColumns,
    ),
  )

/** A condition that lasts is counted once a minute, not at every look. */
const countEveryMs = minuteMs

function isToBeRaised(condition: Condition, known: Known | undefined, now: Date): boolean {
  const { opens = true, evidenceAt, atMostEveryMs = 0 } = condition
  if (known?.open) return opens && known.lastAt <= before(now, countEveryMs)
  if (!opens) return false
  if (known?.closedAt && known.closedAt >= evidenceAt) return false
  return !known || known.openedAt <= before(now, atMostEveryMs)
}

type Checked = { opened: string[]; ended: string[]; failed: AlertKind[] }

async function checkOne(
  { kind, find }: Watch,
  context: WatchContext,
  allKnown: readonly Known[],
): Promise<Omit<Checked, 'failed'>> {
  const { pool, now } = context
  const conditions = await find(context)
  const known = allKnown.filter((alert) => alert.kind === kind)
  const knownOf = ({ subject }: Condition) => known.find((alert) => alert.subject === subject)
  const raised = conditions.filter((condition) => isToBeRaised(condition, knownOf(condition), now))
  for (const { subject, detail } of raised)
    await execute(pool, query('raise-condition', raiseAlertSql(kind, subject, detail)))
  const over = known.filter(
    (alert) => alert.open && !conditions.some(({ subject }) => subject === alert.subject),
  )
  for (const { subject } of over)
    await execute(pool, query('end-condition', endAlertSql(kind, subject, 'condition_over')))
  return {
    opened: raised
      .filter((condition) => !knownOf(condition)?.open)
      .map(({ subject }) => `${kind} ${subject}`),
    ended: over.map(({ subject }) => `${kind} ${subject}`),
  }
}

type Look = {
  watchingSince?: Date
  signal?: AbortSignal
  /** When it is, by the clock of the business: what is not urgent takes turns. Without it everything is judged. */
  turn?: Date
}

/** So often all processes together look at what is urgent: one of them each time. */
export const lookEverySeconds = 15
/** So many of what is not urgent are judged at a look: each one about once a minute. */
const calmAtOnce = 2

/** What a look at this instant judges, so few that a database that takes two seconds for each answer delays no alarm. */
function watchesAt(now: Date): readonly Watch[] {
  const turn = Math.floor(now.getTime() / (lookEverySeconds * 1000))
  const calm = watches.filter(({ isUrgent }) => !isUrgent)
  const chosen = Array.from({ length: calmAtOnce }, (_, at) => calm[(turn * calmAtOnce + at) % calm.length])
  return watches.filter((watch) => watch.isUrgent || chosen.includes(watch))
}

const observe = (pool: Pool, judged: readonly Watch[], now: Date) =>
  readObservations(
    pool,
    new Map(
      judged.flatMap(({ observes }) =>
        (observes?.kinds ?? []).map((kind) => [kind, before(now, observes?.withinMs ?? 0)] as const),
      ),
    ),
    now,
  )

async function nowOf(pool: Pool): Promise<Date> {
  const [row] = await execute(
    pool,
    query('read-now', Prisma.sql`SELECT business_now() AS now`, { now: column.instant }),
  )
  if (!row) throw new Error('a clock without a row')
  return row.now
}

/**
 * Looks once at every condition, or at those whose turn it is: raises an alert for those that hold, and ends those that
 * are over. One that cannot be judged leaves its alerts as they are and does not keep the others from being judged.
 */
export async function checkConditions(
  services: Services,
  { watchingSince = new Date(0), signal, turn }: Look = {},
): Promise<Checked> {
  const { alarmPool: pool, log } = services
  const now = turn ?? (await nowOf(pool))
  const judged = turn ? watchesAt(turn) : watches
  const [known, seen] = await Promise.all([knownAlerts(pool, now), observe(pool, judged, now)])
  const context = { services, pool, now, watchingSince, seen }
  const checked: Checked = { opened: [], ended: [], failed: [] }
  for (const watch of judged) {
    if (signal?.aborted) break
    try {
      const { opened, ended } = await checkOne(watch, context, known)
      checked.opened.push(...opened)
      checked.ended.push(...ended)
    } catch (error) {
      checked.failed.push(watch.kind)
      log.warn({ kind: watch.kind, reason: String(error) }, 'a condition could not be judged')
    }
  }
  return checked
}
