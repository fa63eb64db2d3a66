import { type AlertSeverity, severityOfAlert } from '@meridian/contracts'
import { column, json, nullable, type Pool, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { oldestUntriedSql } from '../events/oldest-untried.ts'
import { isDeadJobSql, queuedJobsSql, queueNowSql } from '../jobs/read-queue.ts'
import { isParkedSql } from '../orders/park-order.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { frozenFen } from '../shipping/show-shipping.ts'

const CountedAlert = z.object({ kind: z.string(), severity: z.string().nullable(), count: z.int() })
const figureColumns = {
  jobsDue: column.integer,
  jobsOldestDueSeconds: column.real,
  jobsDead: column.integer,
  workersAlive: column.integer,
  ordersParked: column.integer,
  outboxOldestSeconds: column.real,
  openAlerts: json(CountedAlert.array()),
  merchantCertificateEndsAt: nullable(column.instant),
  isStandby: column.boolean,
}

/** What is true of all processes together, as the database says it. */
export type Figures = Omit<RowOf<typeof figureColumns>, 'openAlerts'> & {
  frozenFen: number
  openAlerts: { kind: string; severity: AlertSeverity; count: number }[]
}

const isDue = Prisma.sql`locked_at IS NULL AND attempts < max_attempts AND run_at <= ${queueNowSql}`

/**
 * Reads all figures of the database with two statements of at most two seconds each.
 * @throws DomainError range_too_wide beyond that
 */
export async function readFigures(pool: Pool, merchantSerial: string | null): Promise<Figures> {
  const [row] = await readLimited(
    pool,
    Prisma.sql`
      WITH queue AS (
        SELECT count(*) FILTER (WHERE ${isDue})::int AS due,
          coalesce(extract(epoch FROM ${queueNowSql} - min(run_at) FILTER (WHERE ${isDue})), 0)::float8 AS oldest,
          count(*) FILTER (WHERE ${isDeadJobSql})::int AS dead
        FROM ${queuedJobsSql}),
      open_alerts AS (
        SELECT kind, detail ->> 'severity' AS severity, count(*)::int AS count FROM alerts
        WHERE resolved_at IS NULL GROUP BY 1, 2)
      SELECT due AS "jobsDue", oldest AS "jobsOldestDueSeconds", dead AS "jobsDead",
        (SELECT count(*)::int FROM worker_heartbeats WHERE seen_at > business_now() - interval '60 seconds') AS "workersAlive",
        (SELECT count(*)::int FROM orders o WHERE ${isParkedSql({ left: false })}) AS "ordersParked",
        coalesce(greatest(0, extract(epoch FROM business_now() - ${oldestUntriedSql})), 0)::float8 AS "outboxOldestSeconds",
        (SELECT coalesce(json_agg(to_json(a)), '[]') FROM open_alerts a) AS "openAlerts",
        (SELECT expires_on::timestamp AT TIME ZONE 'Asia/Shanghai' FROM merchant_certificates
          WHERE serial = ${merchantSerial}) AS "merchantCertificateEndsAt",
        pg_is_in_recovery() AS "isStandby"
      FROM queue`,
    figureColumns,
  )
  if (!row) throw new Error('figures without a row')
  const { frozenFen: frozen } = await frozenFen(pool)
  const openAlerts = row.openAlerts.map(({ kind, severity, count }) => ({
    kind,
    severity: severityOfAlert(kind, severity),
    count,
  }))
  return { ...row, openAlerts, frozenFen: frozen }
}
