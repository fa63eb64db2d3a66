import { refundableDays } from '@meridian/contracts'
import { column, execute, type PoolClient, Prisma, query } from '@meridian/db'

const { sql } = Prisma

/** Whether the order `o` may be refunded as it stands, as a condition: `standingObstacleOf` for the database. */
export const isRefundableSql: Prisma.Sql = sql`o.status = 'paid' AND NOT o.parked`

/** Whether a payment of this instant (an expression) is young enough for a refund (SPEC §4). */
export const isRefundableSinceSql = (paidAt: Prisma.Sql): Prisma.Sql =>
  sql`${paidAt} > business_now() - ${Prisma.raw(`interval '${refundableDays} days'`)}`

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
