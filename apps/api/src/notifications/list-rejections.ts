import { RejectedDelivery, type RejectedListQuery, RejectedPage } from '@meridian/contracts'
import { execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/run-limited.ts'

const { sql } = Prisma

const byArrival = {
  column: sql`at`,
  type: sql`timestamptz`,
  Key: InstantKey,
  descending: true,
  id: sql`rejected_deliveries.id`,
}

const listed = columnsOf(RejectedDelivery.extend({ sortKey: z.string() }))
type Read = RowOf<typeof listed>
const toRow = ({ sortKey: _, ...row }: Read): RejectedDelivery => row

/** Refused deliveries, newest first, and how many there were of each reason: within a day, or within the bounds. */
export async function listRejections(
  pool: Pool,
  { reason, from, to, limit, cursor: text }: RejectedListQuery,
): Promise<RejectedPage> {
  const { cursor, beyond, orderBy } = keysetOf(byArrival, text)
  const rows = await readLimited(
    pool,
    sql`
      SELECT id::text, reason, source, headers, octet_length(body) AS "bodyBytes", at, at::text AS "sortKey"
      FROM rejected_deliveries WHERE ${reason ? sql`reason = ${reason}` : sql`TRUE`} AND ${beyond}
      ORDER BY ${orderBy} LIMIT ${limit + 1}`,
    listed,
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
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, row.id])
  return { ...page, items: page.items.map(toRow), counts }
}
