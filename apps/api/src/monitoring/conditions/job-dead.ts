import { column, execute, Prisma, query } from '@meridian/db'
import { isDeadJobSql } from '../../jobs/dead-job.ts'
import { businessTimeSql } from '../../jobs/queue-time.ts'
import type { Watch } from '../condition.ts'

const rowColumns = { job: column.text, dead: column.number, newest: column.instant, id: column.text }

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
        rowColumns,
      ),
    )
    return rows.map(({ job, dead, newest, id }) => ({
      subject: job,
      detail: { dead, newest_job_id: id },
      evidenceAt: newest,
    }))
  },
}
