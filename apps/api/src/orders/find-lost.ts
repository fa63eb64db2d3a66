import { PaymentChannel } from '@meridian/contracts'
import { column, execute, nullable, oneOf, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { paymentNoSql } from './move-order.ts'
import { isUnpaidSql } from './read-orders.ts'

const standingColumns = {
  number: column.text,
  /** The order's own number. */
  outTradeNo: column.text,
  channel: oneOf(PaymentChannel.options),
  /** Whether the number itself is there as a signed attempt. */
  signed: column.boolean,
  unpaid: column.boolean,
  paymentNo: nullable(column.text),
}
/** How the order that a number leads to stands now. */
export type OrderStanding = RowOf<typeof standingColumns>

/** The orders of these numbers, each an order's own or a signed attempt's; what is missing here, the database does not have. */
export async function findStandings(
  pool: Pool,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, OrderStanding>> {
  const rows = await execute(
    pool,
    query(
      'find-standings',
      Prisma.sql`
      SELECT given.number, o.out_trade_no AS "outTradeNo", o.channel, a.number IS NOT NULL AS signed,
        ${isUnpaidSql('o')} AND NOT o.parked AS unpaid, ${paymentNoSql('o')} AS "paymentNo"
      FROM unnest(${[...numbers]}::text[]) given(number)
      LEFT JOIN order_attempts a ON a.number = given.number
      JOIN orders o ON o.id = coalesce(a.order_id, (SELECT id FROM orders own WHERE own.out_trade_no = given.number))`,
      standingColumns,
    ),
  )
  return new Map(rows.map((row) => [row.number, row]))
}
