import { column, execute, nullable, Prisma, query } from '@meridian/db'
import { businessTimeSql, isDeadJobSql, queuedJobsSql } from '../../jobs/read-queue.ts'
import { before, minuteMs, type Watch } from '../condition.ts'

const runAt = businessTimeSql(Prisma.sql`run_at`)

const silenceColumns = {
  due: column.number,
  oldest: nullable(column.instant),
  alive: column.number,
  lastSeen: nullable(column.instant),
}

/** For a minute no worker showed life while jobs are due. Nobody judges a silence that was there before they came. */
export const workersSilent: Watch = {
  kind: 'workers_silent',
  isUrgent: true,
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
        FROM ${queuedJobsSql}
        WHERE locked_at IS NULL AND attempts < max_attempts AND ${runAt} <= ${now}::timestamptz`,
        silenceColumns,
      ),
    )
    if (!row?.oldest || row.alive > 0) return []
    const detail = { due: row.due, oldest_due_at: row.oldest, last_seen_at: row.lastSeen }
    return [{ subject: 'workers', detail, evidenceAt: now, opens: row.oldest <= minuteAgo }]
  },
}

const deadColumns = { job: column.text, dead: column.number, newest: column.instant, id: column.text }

/** Jobs of a kind gave up: they were tried as often as they may be. Over when they are retried or cancelled. */
export const jobDead: Watch = {
  kind: 'job_dead',
  find: async ({ pool }) => {
    const rows = await execute(
      pool,
      query(
        null,
        Prisma.sql`
        SELECT task_identifier AS job, count(*)::int AS dead, ${businessTimeSql(Prisma.sql`max(updated_at)`)} AS newest, max(id)::text AS id
        FROM graphile_worker.jobs WHERE ${isDeadJobSql}
        GROUP BY task_identifier ORDER BY task_identifier`,
        deadColumns,
      ),
    )
    return rows.map(({ job, dead, newest, id }) => ({
      subject: job,
      detail: { dead, newest_job_id: id },
      evidenceAt: newest,
    }))
  },
}
