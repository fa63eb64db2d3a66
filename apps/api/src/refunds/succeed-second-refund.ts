import { column, execute, type PoolClient, Prisma, query, reading, statement } from '@meridian/db'
import { endAlertSql } from '../alerts/write-alert.ts'
import { appendEventsPart, type Trace } from '../orders/append-event.ts'
import { isReturnedSql } from '../orders/second-payment.ts'
import { moveRefundPart, type RefundMoveParts } from './move-refund.ts'
import { movedRefundOrder } from './request-refund.ts'

const { sql } = Prisma

/** Whether all second payments of this order went back. */
async function areReturned(client: PoolClient, outTradeNo: string): Promise<boolean> {
  const [order] = await execute(
    client,
    query(
      'are-second-payments-returned',
      sql`
      SELECT NOT EXISTS (
        SELECT 1 FROM second_payments s
        WHERE s.order_id = o.id AND NOT ${isReturnedSql(sql`s.transaction_id`)}) AS "areReturned"
      FROM orders o WHERE o.out_trade_no = ${outTradeNo}`,
      { areReturned: column.boolean },
    ),
  )
  return order?.areReturned ?? false
}

type Success = RefundMoveParts & { trace: Trace }

export const succeedSecondRefundStatement = ({ outRefundNo, move, changes, trace }: Success) => {
  const detail = sql`jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen)`
  return statement({
    name: `${move}-second-refund`,
    parts: [
      moveRefundPart(outRefundNo, move, changes),
      appendEventsPart(movedRefundOrder, { kind: 'second_payment_refunded', trace, detail }),
    ],
    select: reading(
      ['refund'],
      sql`SELECT o.out_trade_no AS "outTradeNo" FROM refund JOIN orders o ON o.id = refund.order_id`,
    ),
    rows: { outTradeNo: column.text },
  })
}

/**
 * A second payment is back with whoever paid it: the refund and a line on the order's timeline. The order, its refunded
 * sum and its days stay as they are; once all its second payments went back, the alert about them is over.
 */
export async function succeedSecondRefund(client: PoolClient, success: Success): Promise<boolean> {
  const [moved] = await execute(client, succeedSecondRefundStatement(success))
  if (!moved) return false
  if (await areReturned(client, moved.outTradeNo))
    await execute(
      client,
      query(
        'end-second-transaction',
        endAlertSql('second_transaction', moved.outTradeNo, 'refund_succeeded'),
      ),
    )
  return true
}
