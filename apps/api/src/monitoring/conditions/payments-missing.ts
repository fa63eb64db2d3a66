import { column, execute, nullable, Prisma, query } from '@meridian/db'
import { before, dayMs, minuteMs, type Watch } from '../condition.ts'

const fewest = 2
/** After the fifth repeat of a delivery (15, 15, 30, 180, 600 s) and some (protocol §5.4). */
const awaitedMs = 30 * minuteMs

const rowColumns = {
  missing: column.number,
  first: nullable(column.instant),
  newest: nullable(column.instant),
  outTradeNo: nullable(column.text),
}

/**
 * At least two payments of the last day were found by asking, half an hour later their notification is still not here,
 * and none was accepted since the first of them, whose time is known to the second: the platform does not reach us.
 */
export const paymentsMissing: Watch = {
  kind: 'payments_missing',
  find: async ({ pool, now }) => {
    const [row] = await execute(
      pool,
      query(
        null,
        Prisma.sql`
        WITH missing AS (
          SELECT o.paid_at, o.out_trade_no FROM orders o
          WHERE o.paid_at > ${before(now, dayMs)}::timestamptz AND o.paid_at <= ${before(now, awaitedMs)}::timestamptz
            AND o.confirmed_by NOT IN ('notification', 'replay')
            AND NOT EXISTS (SELECT 1 FROM notifications n
              WHERE n.out_trade_no = o.out_trade_no AND n.event_type = 'TRANSACTION.SUCCESS')),
        first AS (SELECT min(paid_at) AS paid_at FROM missing)
        SELECT count(*)::int AS missing, min(paid_at) AS first, max(paid_at) AS newest,
          (array_agg(out_trade_no ORDER BY paid_at))[1] AS "outTradeNo"
        FROM missing
        WHERE NOT EXISTS (SELECT 1 FROM notifications n, first
          WHERE n.first_at > first.paid_at + interval '1 second' AND n.outcome IN ('applied', 'already_paid', 'ignored'))`,
        rowColumns,
      ),
    )
    if (!row?.newest || row.missing < fewest) return []
    const detail = { missing: row.missing, since: row.first, out_trade_no: row.outTradeNo }
    return [{ subject: 'notifications', detail, evidenceAt: row.newest }]
  },
}
