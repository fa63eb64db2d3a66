import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { UuidId } from '../platform/paging/paging.ts'
import { measurementsColumnSql, type ReportView, reportColumnsSql, reportViewColumns } from './report-view.ts'

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
