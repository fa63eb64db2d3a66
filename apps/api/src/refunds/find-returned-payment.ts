import { column, execute, nullable, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { reservedOfSecondSql } from './refund-rules.ts'

const { sql } = Prisma

const orderColumns = {
  id: column.bigint,
  outTradeNo: column.text,
  paidAttemptNo: nullable(column.text),
  leftFen: column.integer,
  refundCount: column.integer,
}
type AttemptedOrder = RowOf<typeof orderColumns>

/**
 * The order of an attempt under its lock, which whoever pays takes too: either the payment is known now, or it finds
 * what is kept here when it comes.
 */
export async function lockOrderOf(client: PoolClient, attemptNo: string): Promise<AttemptedOrder | null> {
  const [order = null] = await execute(
    client,
    query(
      'lock-order-of-attempt',
      sql`
      SELECT o.id, o.out_trade_no AS "outTradeNo", o.paid_attempt_no AS "paidAttemptNo",
        o.amount_fen - o.refund_reserved_fen AS "leftFen", o.refund_count AS "refundCount"
      FROM order_attempts a JOIN orders o ON o.id = a.order_id WHERE a.number = ${attemptNo} FOR UPDATE OF o`,
      orderColumns,
    ),
  )
  return order
}

/** The payment that goes back: the order's own, or one beside it. */
export type ReturnedPayment = Pick<AttemptedOrder, 'outTradeNo' | 'leftFen' | 'refundCount'> & {
  orderId: bigint
  secondPaymentId: bigint | null
}

/** Null while the payment of this attempt is not known here. To be asked after the order was locked. */
export async function findPayment(
  client: PoolClient,
  order: AttemptedOrder,
  attemptNo: string,
): Promise<ReturnedPayment | null> {
  const { id: orderId, outTradeNo, paidAttemptNo, leftFen, refundCount } = order
  if (paidAttemptNo === attemptNo) return { orderId, outTradeNo, leftFen, refundCount, secondPaymentId: null }
  const [second] = await execute(
    client,
    query(
      'find-second-payment-of-attempt',
      sql`
      SELECT p.id, p.amount_fen - ${reservedOfSecondSql} AS "leftFen",
        (SELECT count(*) FROM refunds r WHERE r.second_payment_id = p.id AND r.status NOT IN ('closed', 'rejected'))::int AS "refundCount"
      FROM second_payments p WHERE p.transaction_id = ${attemptNo} AND p.order_id = ${orderId}`,
      { id: column.bigint, leftFen: column.integer, refundCount: column.integer },
    ),
  )
  if (!second) return null
  const { id: secondPaymentId, ...sums } = second
  return { orderId, outTradeNo, secondPaymentId, ...sums }
}
