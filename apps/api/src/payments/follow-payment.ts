import { execute, type Pool, Prisma, query } from '@meridian/db'
import { raiseAlertsSql } from '../alerts/write-alert.ts'
import { neighbouringPaymentsSql } from '../orders/second-payment.ts'

const { sql } = Prisma

/** What follows payments: a parked one is told, two orders of one user paid within ten minutes are looked at by a person. */
export async function followPayments(pool: Pool, outTradeNos: readonly string[]): Promise<void> {
  const numbers = sql`${[...outTradeNos]}::text[]`
  const parked = sql`
    SELECT out_trade_no AS subject, jsonb_build_object('reason', park_reason) AS detail FROM orders
    WHERE out_trade_no = ANY(${numbers}) AND park_reason IS NOT NULL`
  await execute(pool, query('raise-parked', raiseAlertsSql('order_parked', parked)))
  const neighbours = sql`
    SELECT DISTINCT ON (subject) subject, jsonb_build_object('orders', jsonb_build_array(number, neighbour)) AS detail FROM (
      SELECT number, neighbour, least(number, neighbour) || ' ' || greatest(number, neighbour) AS subject
      FROM (${neighbouringPaymentsSql(numbers)}) found) pairs
    ORDER BY subject, number`
  await execute(pool, query('raise-neighbours', raiseAlertsSql('possible_double_payment', neighbours)))
}
