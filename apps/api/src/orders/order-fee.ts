import { column, execute, nullable, type Pool, Prisma, query } from '@meridian/db'

const { sql } = Prisma

/** The trade bill `b` counts for its day: it is complete, and no complete one of that day was kept after it. */
export const countsForItsDaySql = sql`(b.kind = 'trade' AND b.row_count IS NOT NULL AND NOT EXISTS (
  SELECT FROM bills later WHERE later.bill_date = b.bill_date AND later.kind = 'trade' AND later.row_count IS NOT NULL
    AND (later.fetched_at, later.id) > (b.fetched_at, b.id)))`

/**
 * What the platform kept of an order, in hundred-thousandths of a yuan: of a virtual payment what its settlement says; of
 * any other what the bills that count charge for its payment, less what they give back for its refunds. Null until either
 * came, and once the rows of the bill were purged. `order` is what the statement calls the order.
 */
export const keptOfOrderSql = (order: Prisma.Sql): Prisma.Sql => sql`CASE
  WHEN ${order}.paid_at IS NULL THEN NULL
  WHEN ${order}.channel = 'virtual' THEN (
    SELECT a.fee_fen * 1000.0 FROM order_attempts a WHERE a.number = ${order}.paid_attempt_no)
  ELSE (
    SELECT sum(r.fee_hundred_thousandths) FROM bill_rows r JOIN bills b ON b.id = r.bill_id
    WHERE r.transaction_id = ${order}.transaction_id AND ${countsForItsDaySql})
  END`

/** The same in fen, rounded once for the order. */
export const feeFenOfOrderSql = (order: Prisma.Sql): Prisma.Sql =>
  sql`round((${keptOfOrderSql(order)}) / 1000)::int`

/** The fees of these orders, by their numbers; null where it is not known. */
export async function readFees(
  pool: Pool,
  outTradeNos: readonly string[],
): Promise<Map<string, number | null>> {
  const rows = await execute(
    pool,
    query(
      'find-order-fees',
      sql`SELECT o.out_trade_no AS "outTradeNo", ${feeFenOfOrderSql(sql`o`)} AS "feeFen"
        FROM orders o WHERE o.out_trade_no = ANY(${[...outTradeNos]}::text[])`,
      { outTradeNo: column.text, feeFen: nullable(column.integer) },
    ),
  )
  return new Map(rows.map(({ outTradeNo, feeFen }) => [outTradeNo, feeFen]))
}
