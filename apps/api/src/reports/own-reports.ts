import { ReportKind } from '@meridian/contracts'
import {
  column,
  execute,
  json,
  nullable,
  oneOf,
  type Pool,
  type PoolClient,
  Prisma,
  query,
  type RowOf,
} from '@meridian/db'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { fromCursor, InstantKey, toPage, UuidId } from '../platform/paging/keyset.ts'
import { utcTextSql } from '../platform/time/utc-text.ts'
import { mayUseSql } from '../subscriptions/show-subscription.ts'

const Json = z.record(z.string(), z.unknown())

/** Everything of a report but its measurements. */
const reportColumns = {
  id: column.text,
  clientReportId: column.text,
  kind: oneOf(ReportKind.options),
  serialNumber: nullable(column.text),
  startedAt: column.instant,
  endedAt: column.instant,
  score: nullable(column.number),
  summary: json(Json),
  createdAt: column.instant,
  locked: column.boolean,
}
const reportViewColumns = { ...reportColumns, measurements: nullable(json(Json.array())) }

/** A report as its owner may see it: without its measurements where `locked`. */
export type ReportView = RowOf<typeof reportViewColumns>

/** In a list a longer summary is given as {}: the report itself has it. */
const LISTED_SUMMARY_BYTES = 16 * 1024

/** A summary as a list carries it. One that is too long as it lies is not even unpacked. */
const listedSummarySql = Prisma.sql`
  CASE WHEN pg_column_size(summary) > ${LISTED_SUMMARY_BYTES}::int THEN '{}'::jsonb
    WHEN octet_length(summary::text) > ${LISTED_SUMMARY_BYTES}::int THEN '{}'::jsonb ELSE summary END`

/** Everything of a report but its measurements. */
const reportColumnsSql = (userId: string, summary = Prisma.sql`summary`): Prisma.Sql => Prisma.sql`
  id, client_report_id AS "clientReportId", kind, serial_number AS "serialNumber", started_at AS "startedAt",
  ended_at AS "endedAt", score, ${summary} AS summary, created_at AS "createdAt", NOT ${mayUseSql(userId, 'report_detail')} AS locked`

/** The measurements, for who may see them. */
const measurementsColumnSql = (userId: string): Prisma.Sql => Prisma.sql`
  CASE WHEN ${mayUseSql(userId, 'report_detail')} THEN measurements END AS measurements`

type Own = { userId: string; id: string }

/** The report that a phone stored under its own number; null when it has not. */
export async function findByClientId(
  db: Pool | PoolClient,
  { userId, clientReportId }: { userId: string; clientReportId: string },
): Promise<ReportView | null> {
  const [report] = await execute(
    db,
    query(
      'find-report-by-client-id',
      Prisma.sql`
      SELECT ${reportColumnsSql(userId)}, ${measurementsColumnSql(userId)} FROM reports
      WHERE user_id = ${userId}::uuid AND client_report_id = ${clientReportId}`,
      reportViewColumns,
    ),
  )
  return report ?? null
}

/**
 * A report of this user.
 * @throws DomainError report_not_found, for another user's report exactly as for one that does not exist
 */
export async function getOwnReport(pool: Pool, { userId, id }: Own): Promise<ReportView> {
  if (!UuidId.safeParse(id).success) throw new DomainError('report_not_found')
  const [report] = await execute(
    pool,
    query(
      'get-own-report',
      Prisma.sql`
      SELECT ${reportColumnsSql(userId)}, ${measurementsColumnSql(userId)} FROM reports
      WHERE id = ${id}::uuid AND user_id = ${userId}::uuid`,
      reportViewColumns,
    ),
  )
  if (!report) throw new DomainError('report_not_found')
  return report
}

/**
 * Deletes a report of this user for good.
 * @throws DomainError report_not_found
 */
export async function deleteOwnReport(pool: Pool, { userId, id }: Own): Promise<void> {
  if (!UuidId.safeParse(id).success) throw new DomainError('report_not_found')
  const rows = await execute(
    pool,
    query(
      'delete-own-report',
      Prisma.sql`DELETE FROM reports WHERE id = ${id}::uuid AND user_id = ${userId}::uuid RETURNING id`,
      { id: column.text },
    ),
  )
  if (rows.length === 0) throw new DomainError('report_not_found')
}

type Query = {
  userId: string
  kind?: ReportKind | undefined
  from?: string | undefined
  to?: string | undefined
  limit: number
  cursor?: string | undefined
}

const nil = '00000000-0000-0000-0000-000000000000'

/** A user's reports, the newest start first, without measurements and long summaries, at the same cost at any depth. */
export async function listOwnReports(pool: Pool, { userId, kind, from, to, limit, cursor }: Query) {
  const [startedAt, id] = cursor ? fromCursor(cursor, InstantKey, UuidId).position : ['infinity', nil]
  const rows = await execute(
    pool,
    query(
      kind ? 'list-own-reports-of-kind' : 'list-own-reports',
      Prisma.sql`
      SELECT ${reportColumnsSql(userId, listedSummarySql)}, ${utcTextSql(Prisma.sql`started_at`)} AS "sortKey" FROM reports
      WHERE user_id = ${userId}::uuid AND (started_at, id) < (${startedAt}::timestamptz, ${id}::uuid)
        AND started_at >= ${from ?? '-infinity'}::timestamptz AND started_at < ${to ?? 'infinity'}::timestamptz
        ${kind ? Prisma.sql`AND kind = ${kind}::report_kind` : Prisma.empty}
      ORDER BY started_at DESC, id DESC LIMIT ${limit + 1}`,
      { ...reportColumns, sortKey: column.text },
    ),
  )
  return toPage(rows, limit, (row) => [row.sortKey, row.id])
}
