import { Prisma } from '@meridian/db'

const { sql } = Prisma

/**
 * The ids of the orders that a text is a whole number of, as an expression: their own, one of an attempt, or one that the
 * platform gave. An array of few, so that each number is found in an index of its own.
 */
export function orderIdsOfNumberSql(text: string): Prisma.Sql {
  const number = text.toUpperCase()
  return sql`ARRAY(
    SELECT id FROM orders WHERE out_trade_no IN (${number}, ${text}) OR transaction_id = ${text}
    UNION SELECT order_id FROM order_attempts WHERE number = ${number} OR wx_order_id = ${text} OR channel_order_id = ${text})`
}
