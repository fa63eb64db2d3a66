import { RejectedDelivery, type RejectedListQuery, RejectedPage } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { byAge, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const { sql } = Prisma

const { newest } = byAge({ key: instantColumn(sql`at`), id: serialColumn(sql`rejected_deliveries.id`) })

/** Refused deliveries, newest first, and how many there were of each reason: within a day, or within the bounds. */
export async function listRejections(pool: Pool, asked: RejectedListQuery): Promise<RejectedPage> {
  const { reason, from, to } = asked
  const page = await readPage(
    pool,
    { sort: newest, asked, columns: columnsOf(RejectedDelivery) },
    ({ position, page }) => sql`
      SELECT id::text, reason, source, headers, octet_length(body) AS "bodyBytes", at, ${position}
      FROM rejected_deliveries WHERE ${reason ? sql`reason = ${reason}` : sql`TRUE`} AND ${page}`,
  )
  const counts = await execute(
    pool,
    query(
      'sum-rejections',
      sql`
      SELECT reason, sum(count)::int AS count FROM rejection_counts
      WHERE hour >= coalesce(${from ?? null}::timestamptz, business_now() - interval '24 hours')
        AND hour < coalesce(${to ?? null}::timestamptz, 'infinity')
      GROUP BY reason ORDER BY reason`,
      columnsOf(RejectedPage.shape.counts.element),
    ),
  )
  return { ...page, counts }
}
