import { appleTradeType, refundableDays } from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'

const { sql } = Prisma

/** Whether Apple took the payment of the order `o`, as a condition: then it is Apple's to give back (SPEC §15). */
export const isByAppleSql: Prisma.Sql = sql`(o.trade_type IS NOT DISTINCT FROM ${appleTradeType})`

/** Whether Apple took the second payment `p`, as a condition: one look at its attempt, however many rows ask. */
export const isSecondByAppleSql: Prisma.Sql = sql`coalesce(
  (SELECT a.by_apple FROM order_attempts a WHERE a.number = p.transaction_id), false)`

/** Whether Apple took what the refund `r` of the order `o` returns, the order's own payment or a second one, as a condition. */
export const isReturnOfApplesSql: Prisma.Sql = sql`CASE WHEN r.second_payment_id IS NULL THEN ${isByAppleSql}
  ELSE (SELECT ${isSecondByAppleSql} FROM second_payments p WHERE p.id = r.second_payment_id) END`

/**
 * Whether the order `o` may be refunded as it stands, as a condition: `standingObstacleOf` for the database, and of an
 * imported one a transaction of the merchant that was configured when it was imported (SPEC §17).
 */
export const isRefundableSql: Prisma.Sql = sql`o.status = 'paid' AND NOT o.parked AND NOT ${isByAppleSql}
  AND (NOT o.imported OR o.transaction_id IS NOT NULL AND o.mch_id <> '')`

/**
 * Tells what Apple took from whatever else cannot be refunded, once nothing was written.
 * @throws DomainError refund_by_apple
 */
export async function refuseByApple(pool: Pool, outTradeNo: string): Promise<void> {
  const taken = sql`SELECT ${isByAppleSql} AS "byApple" FROM orders o WHERE o.out_trade_no = ${outTradeNo}`
  const [order] = await execute(pool, query('is-order-by-apple', taken, { byApple: column.boolean }))
  if (order?.byApple) throw new DomainError('refund_by_apple', { outTradeNo })
}

/** Whether a payment of this instant (an expression) is young enough for a refund (SPEC §4). */
export const isRefundableSinceSql = (paidAt: Prisma.Sql): Prisma.Sql =>
  sql`${paidAt} > business_now() - ${Prisma.raw(`interval '${refundableDays * 24} hours'`)}`

/** What all refunds of the order `o` took or hold, those of its second payments too: what the threshold is for (SPEC §4). */
export const allReservedSql: Prisma.Sql = sql`(o.refund_reserved_fen + o.second_refund_reserved_fen)`

/** The sum of a refund counts against the second payment `p` that it returns. */
export const reservedOfSecondSql: Prisma.Sql = sql`(
  SELECT coalesce(sum(x.amount_fen), 0)::int FROM refunds x
  WHERE x.second_payment_id = p.id AND (x.status NOT IN ('closed', 'rejected') OR x.held))`

/**
 * Whether the sum of this refund counts against its second payment by now, or still fits beside what does. To be asked
 * after the order was locked: every refund of it takes that lock, so that the sum is complete.
 */
export async function isSecondCovered(client: PoolClient, outRefundNo: string): Promise<boolean> {
  const [row] = await execute(
    client,
    query(
      'is-second-refund-covered',
      sql`
      SELECT r.held OR r.status NOT IN ('closed', 'rejected') OR ${reservedOfSecondSql} + r.amount_fen <= p.amount_fen AS covered
      FROM refunds r JOIN second_payments p ON p.id = r.second_payment_id WHERE r.out_refund_no = ${outRefundNo}`,
      { covered: column.boolean },
    ),
  )
  return row?.covered ?? false
}
