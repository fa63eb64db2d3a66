import { column, execute, nullable, Prisma, query } from '@meridian/db'
import { withPosition } from '../../platform/database/read-position.ts'
import {
  before,
  type Condition,
  dayMs,
  hourMs,
  minuteMs,
  type Watch,
  type WatchContext,
} from '../condition.ts'

/** Until the bills of the day are reconciled, which finds what a switch may have lost. */
const openForMs = dayMs

const rowColumns = { timeline: column.number, earlier: column.number, firstSeenAt: column.instant }

/** Remembers the timeline of now, and finds those that followed another one lately. */
async function findNewTimelines({ pool, now }: WatchContext): Promise<Condition[]> {
  const rows = await withPosition((position) =>
    execute(
      pool,
      query(
        null,
        Prisma.sql`
        WITH remembered AS (
          INSERT INTO database_timelines (system, timeline, first_seen_at)
          SELECT system, timeline, ${now}::timestamptz FROM (${position}) current ON CONFLICT DO NOTHING
          RETURNING timeline, first_seen_at),
        known AS (
          SELECT timeline, first_seen_at FROM database_timelines UNION ALL SELECT timeline, first_seen_at FROM remembered)
        SELECT timeline, earlier, first_seen_at AS "firstSeenAt" FROM (
          SELECT timeline, first_seen_at, lag(timeline) OVER (ORDER BY first_seen_at, timeline) AS earlier
          FROM known) seen
        WHERE earlier IS NOT NULL AND first_seen_at > ${before(now, openForMs)}::timestamptz`,
        rowColumns,
      ),
    ),
  )
  return rows.map(({ timeline, earlier, firstSeenAt }) => ({
    subject: `timeline ${timeline}`,
    detail: { timeline, earlier },
    evidenceAt: firstSeenAt,
  }))
}

/** A process saw the database at an earlier position of its own timeline, or without what it had committed. */
function findLostCommits({ seen }: WatchContext): Condition[] {
  const { recent, lastAt } = seen('database_went_back')
  return lastAt && recent > 0 ? [{ subject: 'commits', detail: {}, evidenceAt: lastAt }] : []
}

/**
 * The database has a new leader, or was restored: what the old one acknowledged last may be missing. Ends after a day,
 * when the bills have told what is missing.
 */
export const databaseTimelineChanged: Watch = {
  kind: 'database_timeline_changed',
  // What was never seen before a switch cannot differ after it.
  isUrgent: true,
  observes: { kinds: ['database_went_back'], withinMs: openForMs },
  find: async (context) => [...(await findNewTimelines(context)), ...findLostCommits(context)],
}

/** A day, and two hours for whoever starts it. */
const oldAfterMs = 26 * hourMs

/** The newest backup of the embedded database is older than 26 hours; where none was ever made nobody expects one. */
export const backupOld: Watch = {
  kind: 'backup_old',
  find: async ({ pool, now }) => {
    const [row] = await execute(
      pool,
      query(null, Prisma.sql`SELECT max(finished_at) AS newest FROM backups`, {
        newest: nullable(column.instant),
      }),
    )
    if (!row?.newest) return []
    const oldAt = new Date(row.newest.getTime() + oldAfterMs)
    if (oldAt >= now) return []
    return [{ subject: 'database', detail: { newest_at: row.newest }, evidenceAt: oldAt }]
  },
}

/** What a process that misses Redis says every few seconds is missed after so long. */
const heardMs = minuteMs / 2

/** Redis is gone for a minute for at least one process: each limits alone, and the limits add up. */
export const limitsNotShared: Watch = {
  kind: 'limits_not_shared',
  isUrgent: true,
  observes: { kinds: ['limits_alone'], withinMs: heardMs },
  find: async ({ seen }) => {
    const { recent, lastAt } = seen('limits_alone')
    return lastAt && recent > 0 ? [{ subject: 'redis', detail: {}, evidenceAt: lastAt }] : []
  },
}
