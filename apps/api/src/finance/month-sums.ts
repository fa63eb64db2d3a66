import { addFinance, type ChannelFinance, PaymentChannel } from '@meridian/contracts'
import { column, execute, oneOf, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { withinSql } from '../dashboard/days.ts'
import { orderFactsSql } from '../dashboard/order-facts.ts'
import { countsForItsDaySql } from '../orders/order-fee.ts'

const { sql } = Prisma

/** Days of Asia/Shanghai, both included. */
export type Days = { from: string; to: string }

const dayColumns = {
  day: column.text,
  channel: oneOf(PaymentChannel.options),
  orders: column.integer,
  grossFen: column.number,
  refunds: column.integer,
  refundFen: column.number,
  feeFen: column.number,
}
export type ChannelDay = RowOf<typeof dayColumns>

/** The bill of each day that counts for it. */
export const lastTradeBillsSql = ({ from, to }: Days): Prisma.Sql => sql`
  SELECT b.id, b.bill_date AS day FROM bills b
  WHERE b.bill_date BETWEEN ${from}::date AND ${to}::date AND ${countsForItsDaySql}`

/**
 * Fees by day and channel, in fen: of WeChat Pay what the day's trade bill names, rounded once for the day; of virtual
 * payment what the platform settled on the day.
 */
export const feesSql = (days: Days): Prisma.Sql => sql`
  SELECT b.day, 'jsapi'::payment_channel AS channel, round(s.fee_hundred_thousandths / 1000.0) AS fee_fen
  FROM (${lastTradeBillsSql(days)}) b JOIN bill_fee_sums s ON s.bill_id = b.id
  UNION ALL
  SELECT (settled_at AT TIME ZONE 'Asia/Shanghai')::date, 'virtual', sum(fee_fen) FROM order_attempts
  WHERE fee_fen IS NOT NULL AND ${withinSql(sql`settled_at`, days)} GROUP BY 1`

/**
 * What these days add up to as of now, by day and channel: days with nothing have no row. From sums that are kept by day,
 * so that it costs the same however many orders a day has; fees only from `feesFrom` on. Inside a transaction with one
 * snapshot.
 */
export async function readDays(
  client: PoolClient,
  { feesFrom, ...days }: Days & { feesFrom: string },
): Promise<ChannelDay[]> {
  const facts = await orderFactsSql(client, days)
  const fees = feesSql({ from: feesFrom, to: days.to })
  return execute(
    client,
    query(
      null,
      sql`
      SELECT day::text AS day, channel, sum(orders)::int AS orders, sum(gross_fen)::float8 AS "grossFen",
        sum(refunds)::int AS refunds, sum(refund_fen)::float8 AS "refundFen", sum(fee_fen)::float8 AS "feeFen"
      FROM (
        SELECT day, channel, CASE fact WHEN 'paid' THEN orders ELSE 0 END AS orders, CASE fact WHEN 'paid' THEN fen ELSE 0 END AS gross_fen,
          CASE fact WHEN 'refunded' THEN orders ELSE 0 END AS refunds, CASE fact WHEN 'refunded' THEN fen ELSE 0 END AS refund_fen,
          0::numeric AS fee_fen
        FROM ${facts} facts WHERE fact <> 'created'
        UNION ALL
        SELECT day, channel, 0, 0, 0, 0, fee_fen FROM (${fees}) fees) parts
      GROUP BY 1, 2 ORDER BY 1, 2`,
      dayColumns,
    ),
  )
}

/** What each channel adds up to on these days; both are there, also where one sold nothing. */
export const byChannel = (rows: readonly ChannelDay[], { from, to }: Days): ChannelFinance[] =>
  PaymentChannel.options.map((channel) => ({
    channel,
    ...addFinance(rows.filter((row) => row.channel === channel && row.day >= from && row.day <= to)),
  }))
