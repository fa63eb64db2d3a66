import {
  addFinance,
  ChannelFinance,
  daysOfMonth,
  LATE_ENTRIES_SHOWN,
  LateEntry,
  type Month,
  MonthClosing,
} from '@meridian/contracts'
import { column, execute, json, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { withinSql } from '../dashboard/days.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { byChannel, type ChannelDay } from './month-sums.ts'

const { sql } = Prisma

/** How far back a closed month is asked whether it changed: of what lies further back the platform tells nothing. */
export const monthsLookedAt = 13

const closingColumns = {
  month: column.text,
  lineId: column.bigint,
  closedAt: column.instant,
  closedBy: column.text,
  rows: column.integer,
  checksum: column.text,
  channels: json(ChannelFinance.array()),
}
export type KeptClosing = RowOf<typeof closingColumns>

/** The closings of these months, oldest first. */
export const readClosings = (
  client: PoolClient,
  { from, to }: { from: Month; to: Month },
): Promise<KeptClosing[]> =>
  execute(
    client,
    query(
      'read-month-closings',
      sql`
      SELECT left(c.month::text, 7) AS month, c.line_id AS "lineId", c.closed_at AS "closedAt",
        coalesce((SELECT email FROM operators WHERE id = c.closed_by), '') AS "closedBy", c.rows::int AS rows, c.checksum, c.sums AS channels
      FROM month_closings c WHERE c.month BETWEEN ${`${from}-01`}::date AND ${`${to}-01`}::date ORDER BY c.month`,
      closingColumns,
    ),
  )

/** As the console shows it. */
export const shownClosing = ({ closedAt, closedBy, rows, checksum, channels }: KeptClosing): MonthClosing =>
  MonthClosing.parse({ closedAt, closedBy, rows, checksum, channels })

/** The closings whose months hold more than they were closed with, by what their days add up to now. */
const findChanged = (closings: readonly KeptClosing[], rows: readonly ChannelDay[]): KeptClosing[] =>
  closings.filter(({ month, channels }) => {
    const [closed, now] = [addFinance(channels), addFinance(byChannel(rows, daysOfMonth(month)))]
    return now.orders !== closed.orders || now.refunds !== closed.refunds
  })

// A payment is written a moment before its line of the timeline, whose number says whether the closing holds it: the day
// before the closing is looked at too.
const entriesSql = (closing: KeptClosing, month: Month): Prisma.Sql => {
  const happened = daysOfMonth(closing.month)
  const booked = sql`e.id > ${closing.lineId} AND ${withinSql(sql`e.at`, daysOfMonth(month))}`
  return sql`
    SELECT 'payment' AS kind, o.channel, o.out_trade_no AS "outTradeNo", NULL::text AS "outRefundNo", o.amount_fen AS "amountFen",
      o.paid_at AS "happenedAt", e.at AS "bookedAt"
    FROM orders o JOIN order_events e ON e.order_id = o.id AND e.kind = 'pay'
    WHERE ${withinSql(sql`o.paid_at`, happened)} AND o.confirmed_at > ${closing.closedAt}::timestamptz - interval '24 hours' AND ${booked}
    UNION ALL
    SELECT 'refund', o.channel, o.out_trade_no, r.out_refund_no, r.amount_fen, r.succeeded_at, e.at
    FROM refunds r JOIN orders o ON o.id = r.order_id
      JOIN order_events e ON e.order_id = r.order_id AND e.kind = 'refund' AND e.detail ->> 'out_refund_no' = r.out_refund_no
    WHERE r.second_payment_id IS NULL AND ${withinSql(sql`r.succeeded_at`, happened)} AND ${booked}`
}

/**
 * Payments and refunds of closed months that were learned of in this month, after the closing, oldest first. Only where
 * the sums of a closed month are no longer those it was closed with its orders are looked through.
 */
export async function findLateEntries(
  client: PoolClient,
  month: Month,
  { closings, rows }: { closings: readonly KeptClosing[]; rows: readonly ChannelDay[] },
): Promise<LateEntry[]> {
  const changed = findChanged(closings, rows)
  if (changed.length === 0) return []
  const parts = Prisma.join(
    changed.map((closing) => entriesSql(closing, month)),
    ' UNION ALL ',
  )
  return execute(
    client,
    query(
      null,
      sql`SELECT * FROM (${parts}) entries ORDER BY "bookedAt", "outTradeNo" LIMIT ${LATE_ENTRIES_SHOWN}`,
      columnsOf(LateEntry),
    ),
  )
}
