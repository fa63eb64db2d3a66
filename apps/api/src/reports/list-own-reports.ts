import type { ReportKind } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { fromCursor, InstantKey, toPage, UuidId } from '../platform/paging/paging.ts'
import { listedSummarySql, reportColumns, reportColumnsSql } from './report-view.ts'

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
      SELECT ${reportColumnsSql(userId, listedSummarySql)}, started_at::text AS "sortKey" FROM reports
      WHERE user_id = ${userId}::uuid AND (started_at, id) < (${startedAt}::timestamptz, ${id}::uuid)
        AND started_at >= ${from ?? '-infinity'}::timestamptz AND started_at < ${to ?? 'infinity'}::timestamptz
        ${kind ? Prisma.sql`AND kind = ${kind}::report_kind` : Prisma.empty}
      ORDER BY started_at DESC, id DESC LIMIT ${limit + 1}`,
      { ...reportColumns, sortKey: column.text },
    ),
  )
  return toPage(rows, limit, (row) => [row.sortKey, row.id])
}
