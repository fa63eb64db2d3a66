import { severityOfAlert } from '@meridian/contracts'
import { column, execute, nullable, Prisma, query } from '@meridian/db'
import { isDeadJobSql } from '../../jobs/read-queue.ts'
import { type Check, fault, warning, well } from '../finding.ts'

const { sql } = Prisma

const workers: Check = {
  about: 'workers',
  needsDatabase: true,
  look: async ({ services: { database } }) => {
    const aliveSql = sql`
      SELECT count(*)::int AS alive FROM worker_heartbeats WHERE seen_at > business_now() - interval '60 seconds'`
    const [row] = await execute(database.pool, query(null, aliveSql, { alive: column.integer }))
    return [
      row?.alive
        ? well('jobs are being worked on')
        : fault(
            'no worker showed life for a minute: orders are not swept, nothing is refunded',
            'npm run worker, or an API with MERIDIAN_ROLE=all',
          ),
    ]
  },
}

const deadSql = sql`
  SELECT task_identifier AS job, count(*)::int AS dead FROM graphile_worker.jobs WHERE ${isDeadJobSql}
  GROUP BY task_identifier ORDER BY task_identifier`

const deadJobs: Check = {
  about: 'jobs',
  needsDatabase: true,
  look: async ({ services: { database } }) => {
    const rows = await execute(
      database.pool,
      query(null, deadSql, { job: column.text, dead: column.integer }),
    )
    if (rows.length === 0) return [well('none gave up')]
    return rows.map(({ job, dead }) =>
      fault(`${dead} of ${job} gave up`, 'console, Jobs: mend what the last error says, then retry'),
    )
  },
}

const openSql = sql`
  SELECT kind, detail->>'severity' AS own, count(*)::int AS open FROM alerts WHERE resolved_at IS NULL
  GROUP BY 1, 2 ORDER BY 1, 2`

const openAlerts: Check = {
  about: 'open alerts',
  needsDatabase: true,
  look: async ({ services: { database } }) => {
    const columns = { kind: column.text, own: nullable(column.text), open: column.integer }
    const rows = await execute(database.pool, query(null, openSql, columns))
    const found = rows.map(({ kind, own, open }) => {
      const isCritical = severityOfAlert(kind, own) === 'critical'
      const judge = isCritical ? fault : warning
      return judge(`${open} of ${kind}`, `console, Alerts; docs/runbook/${kind}.md`)
    })
    return found.length > 0 ? found : [well('none')]
  },
}

export const workChecks: readonly Check[] = [workers, deadJobs, openAlerts]
