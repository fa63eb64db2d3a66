import { OrderSnapshot } from '@meridian/contracts'
import { execute, type PoolClient, Prisma, query } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { remainingDaysSql } from '../platform/time/remaining-days.ts'

const orderSnapshotColumns = columnsOf(OrderSnapshot)

/** Where an order and its buyer's days stand, with the order locked: what is read before a change and after it. */
export async function lockOrderSnapshot(
  client: PoolClient,
  outTradeNo: string,
): Promise<OrderSnapshot | null> {
  const [standing] = await execute(
    client,
    query(
      'lock-standing',
      Prisma.sql`
      SELECT o.out_trade_no AS "outTradeNo", o.status, o.amount_fen AS "amountFen", o.refunded_fen AS "refundedFen",
        o.late, o.parked, ${remainingDaysSql(Prisma.sql`s.expires_at`)} AS "remainingDays", s.expires_at AS "expiresAt"
      FROM orders o JOIN subscriptions s ON s.user_id = o.user_id WHERE o.out_trade_no = ${outTradeNo} FOR UPDATE OF o`,
      orderSnapshotColumns,
    ),
  )
  return standing ?? null
}
