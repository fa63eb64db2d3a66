import { RejectedDelivery, type RejectedListQuery, RejectedPage, type RowCount } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import type { PaymentsReason } from '@meridian/payments'
import { byAge, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { isExpiredRejectionSql } from './forget-notifications.ts'

const { sql } = Prisma

/** A delivery that was refused, as far as it is kept. */
export type Rejection = {
  reason: PaymentsReason
  source: string
  headers: Record<string, unknown>
  body: Buffer
}

type RejectionCounts = ReadonlyMap<PaymentsReason, number>

const keptPerHour = 20

/** Adds up what was refused since the last time, by reason and hour. */
async function count(pool: Pool, counts: RejectionCounts): Promise<void> {
  await execute(
    pool,
    query(
      'count-rejections',
      Prisma.sql`
      INSERT INTO rejection_counts (reason, hour, count)
      SELECT reason, date_trunc('hour', business_now(), 'UTC'), count FROM unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::int[]) AS counted(reason, count)
      ON CONFLICT (reason, hour) DO UPDATE SET count = rejection_counts.count + excluded.count`,
    ),
  )
}

/** Keeps one delivery as evidence, unless this hour has enough of its kind. */
async function keep(pool: Pool, { reason, source, headers, body }: Rejection): Promise<void> {
  await execute(
    pool,
    query(
      'keep-rejection',
      Prisma.sql`
      INSERT INTO rejected_deliveries (reason, source, headers, body)
      SELECT ${reason}, ${source}, ${JSON.stringify(headers)}::jsonb, ${body}
      WHERE (SELECT count(*) FROM rejected_deliveries WHERE reason = ${reason} AND at > business_now() - interval '1 hour') < ${keptPerHour}`,
    ),
  )
}

const trim = (pool: Pool) =>
  execute(
    pool,
    query('trim-rejections', Prisma.sql`DELETE FROM rejected_deliveries WHERE ${isExpiredRejectionSql}`),
  )

/** Writes what a process refused: the counts whole, the evidence bounded by hour, number and age. */
export async function recordRejections(
  pool: Pool,
  counts: RejectionCounts,
  samples: readonly Rejection[],
): Promise<void> {
  if (counts.size === 0) return
  await count(pool, counts)
  for (const sample of samples) await keep(pool, sample)
  await trim(pool)
}

const { newest } = byAge({ key: instantColumn(sql`at`), id: serialColumn(sql`rejected_deliveries.id`) })

const rejectedSql = ({ reason }: RejectedListQuery): Prisma.Sql =>
  sql`rejected_deliveries WHERE ${reason ? sql`reason = ${reason}` : sql`TRUE`}`

/** How many of those kept the filter leaves: exact up to 10,000. */
export const countRejections = (pool: Pool, filter: RejectedListQuery): Promise<RowCount> =>
  countRows(pool, rejectedSql(filter))

/** Refused deliveries, newest first, and how many there were of each reason: within a day, or within the bounds. */
export async function listRejections(pool: Pool, asked: RejectedListQuery): Promise<RejectedPage> {
  const { from, to } = asked
  const page = await readPage(
    pool,
    { sort: newest, asked, columns: columnsOf(RejectedDelivery) },
    ({ position, page }) => sql`
      SELECT id::text, reason, source, headers, octet_length(body) AS "bodyBytes", at, ${position}
      FROM ${rejectedSql(asked)} AND ${page}`,
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
