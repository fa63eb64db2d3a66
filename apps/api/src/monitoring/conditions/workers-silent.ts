import { column, execute, nullable, Prisma, query } from '@meridian/db'
import { businessTimeSql } from '../../jobs/queue-time.ts'
import { before, minuteMs, type Watch } from '../condition.ts'

const runAt = businessTimeSql(Prisma.sql`run_at`)

const rowColumns = {
  due: column.number,
  oldest: nullable(column.instant),
  alive: column.number,
  lastSeen: nullable(column.instant),
}

/** For a minute no worker showed life while jobs are due. Nobody judges a silence that was there before they came. */
export const workersSilent: Watch = {
  kind: 'workers_silent',
  find: async ({ pool, now, watchingSince }) => {
    const minuteAgo = before(now, minuteMs)
    if (watchingSince > minuteAgo) return []
    const [row] = await execute(
      pool,
      query(
        null,
        Prisma.sql`
        SELECT count(*)::int AS due, min(${runAt}) AS oldest,
          (SELECT count(*)::int FROM worker_heartbeats WHERE seen_at > ${minuteAgo}::timestamptz) AS alive,
          (SELECT max(seen_at) FROM worker_heartbeats) AS "lastSeen"
        FROM graphile_worker.jobs
        WHERE locked_at IS NULL AND attempts < max_attempts AND ${runAt} <= ${now}::timestamptz`,
        rowColumns,
      ),
    )
    if (!row?.oldest || row.alive > 0) return []
    const detail = { due: row.due, oldest_due_at: row.oldest, last_seen_at: row.lastSeen }
    return [{ subject: 'workers', detail, evidenceAt: now, opens: row.oldest <= minuteAgo }]
  },
}
