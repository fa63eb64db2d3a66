import {
  ReportDetail,
  type ReportFilter,
  type ReportListQuery,
  ReportRow,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Database, type Pool, Prisma } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { byAge, instantColumn, UuidId, uuidColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql, withinSql } from '../platform/sql/conditions.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'

const { sql } = Prisma

const sorts = byAge({ key: instantColumn(sql`started_at`), id: uuidColumn(sql`id`) })

const rowColumnsSql = (names: NameView) => sql`
  id, kind, user_id AS "userId", ${nicknameOfSql(sql`reports.user_id`, names)} AS customer, serial_number AS "serialNumber", program_code AS "programCode",
  started_at AS "startedAt", ended_at AS "endedAt", score, created_at AS "createdAt"`

const isUser = (text: string) => UuidId.safeParse(text).success

const conditions = ({ kind, from, to, search }: ReportFilter): Prisma.Sql =>
  allOfSql(
    kind && sql`kind = ${kind}::report_kind`,
    ...withinSql(sql`started_at`, { from, to }),
    search &&
      (isUser(search) ? sql`user_id = ${search}::uuid` : sql`serial_number = ${search.toUpperCase()}`),
  )

/** One page of everybody's reports, without what they say of anybody's body. */
export const listReports = (
  pool: Pool,
  query: ReportListQuery,
  names: NameView = 'masked',
): Promise<TwoWayPage<ReportRow>> =>
  readPage(
    pool,
    { sort: sorts[query.sort], asked: query, columns: columnsOf(ReportRow) },
    ({ position, page }) =>
      sql`SELECT ${rowColumnsSql(names)}, ${position} FROM reports WHERE ${conditions(query)} AND ${page}`,
  )

/** How many the filters leave: exact up to 10,000. */
export const countReports = (pool: Pool, filter: ReportFilter): Promise<RowCount> =>
  countRows(pool, sql`reports WHERE ${conditions(filter)}`)

type Opening = Actor & { id: string }

/**
 * Shows somebody's report to an operator. It is health data: that it was opened, and by whom, is on record.
 * @throws DomainError report_not_found
 */
export async function openReport(
  database: Database,
  { id, operatorId, from }: Opening,
): Promise<ReportDetail> {
  return database.$transaction(async (db) => {
    const report = await db.report.findUnique({ where: { id } })
    if (!report) throw new DomainError('report_not_found')
    await writeAudit(
      db,
      {
        operatorId,
        action: 'report.open',
        subject: { type: 'report', id },
        after: { kind: report.kind, userId: report.userId },
      },
      from,
    )
    return ReportDetail.parse(report)
  })
}
