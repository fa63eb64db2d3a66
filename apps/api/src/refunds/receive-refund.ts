import { type Pool, Prisma, run } from '@meridian/db'
import type { ConfirmedRefund } from '@meridian/payments'
import { raisedAlert } from '../alerts/raise-alert.ts'
import { type RefundVerdict, settleRefund } from './settle-refund.ts'

type Notified = { mchId: string; requestId: string }

/** A refund that we did not ask for: kept, and somebody looks at it. */
async function recordExternalRefund(pool: Pool, refund: ConfirmedRefund): Promise<void> {
  const { outRefundNo, outTradeNo, transactionId, refundId, amountFen, status } = refund
  await run(
    pool,
    'record-external-refund',
    Prisma.sql`
      WITH alert AS (${raisedAlert('external_refund', outTradeNo, { out_refund_no: outRefundNo, amount_fen: amountFen })})
      INSERT INTO external_refunds (out_refund_no, out_trade_no, transaction_id, refund_id, amount_fen, status)
      VALUES (${outRefundNo}, ${outTradeNo}, ${transactionId}, ${refundId}, ${amountFen}, ${status})
      ON CONFLICT (out_refund_no) DO UPDATE SET status = excluded.status, last_at = now()`,
  )
}

/** The platform notifies us of a refund: ours moves on, another's is recorded as external. */
export async function receiveRefund(
  pool: Pool,
  refund: ConfirmedRefund,
  notified: Notified,
): Promise<RefundVerdict> {
  const verdict = await settleRefund(pool, refund, { channel: 'notification', ...notified })
  if (verdict === 'unknown_refund') await recordExternalRefund(pool, refund)
  return verdict
}
