import { column, execute, nullable, Prisma, query } from '@meridian/db'
import { before, dayMs, type Watch } from '../condition.ts'

/** Of the newest few orders so many: what a shop with three orders a day can reach. */
const few = { orders: 5, failed: 3 }
/** Of the newest fifty a fifth: what few of many look like. */
const many = { orders: 50, failed: 10 }
/** How far back the newest orders are looked for: some are under way, or were never tried. */
const lookedAt = 500

const rowColumns = {
  fewFailed: column.number,
  manyFailed: column.number,
  tried: column.number,
  newest: nullable(column.instant),
  unreachable: column.boolean,
}

/**
 * Orders fail at their last attempt to get a prepay. What failed while the platform was unreachable has its own alert:
 * as long as that is open nothing opens here, and orders from before its end do not count.
 */
export const prepayFailing: Watch = {
  kind: 'prepay_failing',
  find: async ({ pool, now }) => {
    const [row] = await execute(
      pool,
      query(
        null,
        Prisma.sql`
        WITH outage AS (
          SELECT bool_or(resolved_at IS NULL) AS open, max(resolved_at) AS ended_at FROM alerts
          WHERE kind = 'platform_unreachable' AND subject = 'payment'
            AND (resolved_at IS NULL OR resolved_at > ${before(now, dayMs)}::timestamptz)),
        newest AS (SELECT * FROM orders ORDER BY id DESC LIMIT ${lookedAt}),
        tried AS (
          SELECT o.created_at, o.prepay_failure IS NOT NULL AS failed, row_number() OVER (ORDER BY o.id DESC) AS place
          FROM newest o, outage
          WHERE (o.prepay_failure IS NOT NULL OR o.prepay_id IS NOT NULL) AND o.created_at <= ${now}::timestamptz
            AND o.created_at > greatest(${before(now, dayMs)}::timestamptz, outage.ended_at))
        SELECT count(*) FILTER (WHERE failed AND place <= ${few.orders})::int AS "fewFailed",
          count(*) FILTER (WHERE failed AND place <= ${many.orders})::int AS "manyFailed",
          least(count(*), ${many.orders})::int AS tried, max(created_at) FILTER (WHERE failed) AS newest,
          coalesce((SELECT open FROM outage), false) AS unreachable
        FROM tried`,
        rowColumns,
      ),
    )
    if (!row?.newest || (row.fewFailed < few.failed && row.manyFailed < many.failed)) return []
    const detail = { failed: row.manyFailed, of: row.tried }
    return [{ subject: 'purchases', detail, evidenceAt: row.newest, opens: !row.unreachable }]
  },
}
