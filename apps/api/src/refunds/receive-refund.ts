import { type PoolClient, Prisma, run } from '@meridian/db'
import type { ConfirmedRefund } from '@meridian/payments'
import { raiseAlertSql } from '../alerts/raise-alert.ts'
import { type RefundArrival, type RefundSettlement, settleRefundIn } from './settle-refund.ts'

/** A refund that we did not ask for: kept, and somebody looks at it. */
async function recordExternalRefund(client: PoolClient, refund: ConfirmedRefund): Promise<void> {
  const { outRefundNo, outTradeNo, transactionId, refundId, amountFen, status } = refund
  await run(
    client,
    'record-external-refund',
    Prisma.sql`
      WITH alert AS (${raiseAlertSql('external_refund', outTradeNo, { out_refund_no: outRefundNo, amount_fen: amountFen })})
      INSERT INTO external_refunds (out_refund_no, out_trade_no, transaction_id, refund_id, amount_fen, status)
      VALUES (${outRefundNo}, ${outTradeNo}, ${transactionId}, ${refundId}, ${amountFen}, ${status})
      ON CONFLICT (out_refund_no) DO UPDATE SET status = excluded.status, last_at = business_now()`,
  )
}

/** What the platform notified of a refund, inside a transaction: ours moves on, another's is recorded as external. */
export async function receiveRefund(
  client: PoolClient,
  refund: ConfirmedRefund,
  arrival: RefundArrival,
): Promise<RefundSettlement> {
  const settlement = await settleRefundIn(client, refund, arrival)
  if (settlement.verdict === 'unknown_refund') await recordExternalRefund(client, refund)
  return settlement
}
