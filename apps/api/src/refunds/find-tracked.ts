import { PaymentChannel, RefundReason } from '@meridian/contracts'
import { column, execute, nullable, oneOf, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { returnedTotalSql, returnedTransactionSql } from '../orders/second-payment.ts'
import { isReturnOfApplesSql } from './refund-rules.ts'

const { sql } = Prisma

const trackedColumns = {
  outRefundNo: column.text,
  outTradeNo: column.text,
  channel: oneOf(PaymentChannel.options),
  amountFen: column.integer,
  totalFen: column.integer,
  reason: oneOf(RefundReason.options),
  /** False where a rule asked for it. */
  isAsked: column.boolean,
  payerOpenid: column.text,
  /** What tells the payment that goes back from every other: its transaction, in virtual payment its attempt. */
  paymentNo: column.text,
  byApple: column.boolean,
  /** Virtual payment: what was left when it was sent; null where nothing was sent yet. */
  sentLeftFen: nullable(column.integer),
  status: oneOf(['approved', 'processing']),
}
export type Tracked = RowOf<typeof trackedColumns>

/** A refund that is to be brought onwards; null where it is not under way, or its order waits for a decision. */
export async function findTracked(pool: Pool, outRefundNo: string): Promise<Tracked | null> {
  const refund = sql`r`
  const [tracked = null] = await execute(
    pool,
    query(
      'find-tracked-refund',
      sql`
      SELECT r.out_refund_no AS "outRefundNo", o.out_trade_no AS "outTradeNo", o.channel, r.amount_fen AS "amountFen",
        ${returnedTotalSql(refund)} AS "totalFen", r.reason_code AS reason, r.requested_by IS NOT NULL AS "isAsked",
        o.payer_openid AS "payerOpenid", ${returnedTransactionSql(refund)} AS "paymentNo",
        ${isReturnOfApplesSql} AS "byApple", r.sent_left_fen AS "sentLeftFen", r.status
      FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE r.out_refund_no = ${outRefundNo} AND r.status IN ('approved', 'processing')
        AND (NOT o.parked OR r.second_payment_id IS NOT NULL)`,
      trackedColumns,
    ),
  )
  return tracked
}
