import type { ReportRequest } from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { isPremiumSql } from '../diagnosis/published-config.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newId } from '../platform/ids/new-id.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { settingSql } from '../settings/read-settings.ts'
import { mayUseSql } from '../subscriptions/show-subscription.ts'
import { findByClientId, type ReportView } from './own-reports.ts'

type NewReport = { userId: string; report: ReportRequest }
type Documents = { summary: string; measurements: string }

/** Waits for the user's other requests of this kind, so that none counts what another is about to add. */
async function lockUser(client: PoolClient, userId: string): Promise<void> {
  const users = await execute(
    client,
    query(
      'lock-user-for-report',
      Prisma.sql`SELECT id FROM users WHERE id = ${userId}::uuid AND erased_at IS NULL FOR NO KEY UPDATE`,
      { id: column.text },
    ),
  )
  if (users.length === 0) throw new DomainError('unauthenticated')
}

const reportRightsColumns = { full: column.boolean, barred: column.boolean }
type ReportRights = RowOf<typeof reportRightsColumns>

async function readReportRights(client: PoolClient, { userId, report }: NewReport): Promise<ReportRights> {
  const { kind, program_code: programCode } = report
  const barred =
    kind === 'treatment' && programCode
      ? Prisma.sql`${isPremiumSql(programCode)} AND NOT ${mayUseSql(userId, 'manual_treatment')}`
      : Prisma.sql`false`
  const [standing] = await execute(
    client,
    query(
      null,
      Prisma.sql`
      SELECT ${barred} AS barred, (SELECT count(*) FROM reports WHERE user_id = ${userId}::uuid)
        >= (${settingSql('reports_per_user')})::int AS full`,
      reportRightsColumns,
    ),
  )
  return standing ?? { full: true, barred: true }
}

/** Numbers of a few characters may be written out with hundreds: the database refuses what grows beyond its bound. */
const isTooLarge = (error: unknown) =>
  error instanceof Error && 'constraint' in error && error.constraint === 'reports_bounded'

async function insertReport(
  client: PoolClient,
  { userId, report }: NewReport,
  { summary, measurements }: Documents,
): Promise<void> {
  const { serial_number, program_code, started_at, ended_at, score } = report
  await execute(
    client,
    query(
      'store-report',
      Prisma.sql`
      INSERT INTO reports (id, user_id, client_report_id, kind, serial_number, program_code, started_at, ended_at, score,
        summary, measurements)
      VALUES (${newId()}::uuid, ${userId}::uuid, ${report.client_report_id}, ${report.kind}::report_kind,
        ${serial_number ?? null}, ${program_code ?? null}, ${started_at}::timestamptz, ${ended_at}::timestamptz,
        ${score ?? null}::float8, ${summary}::jsonb, ${measurements}::jsonb)`,
    ),
  ).catch((error: unknown) => {
    throw isTooLarge(error) ? new DomainError('payload_too_large', { cause: error }) : error
  })
}

/**
 * Stores what a scan measured or a treatment did, once per number of the phone.
 * @throws DomainError subscription_required, report_limit_reached, payload_too_large
 */
export async function storeReport(
  pool: Pool,
  { userId, report }: NewReport,
): Promise<{ report: ReportView; first: boolean }> {
  const own = { userId, clientReportId: report.client_report_id }
  // Written out before a connection is held.
  const documents = {
    summary: JSON.stringify(report.summary),
    measurements: JSON.stringify(report.measurements),
  }
  return inTransaction(pool, async (client) => {
    await lockUser(client, userId)
    const known = await findByClientId(client, own)
    if (known) return { report: known, first: false }
    const { full, barred } = await readReportRights(client, { userId, report })
    if (barred) throw new DomainError('subscription_required')
    if (full) throw new DomainError('report_limit_reached')
    await insertReport(client, { userId, report }, documents)
    const stored = await findByClientId(client, own)
    if (!stored) throw new Error('the report just stored is not there')
    return { report: stored, first: true }
  })
}
