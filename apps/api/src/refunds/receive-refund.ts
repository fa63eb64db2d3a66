import { execute, type PoolClient, Prisma, part, statement } from '@meridian/db'
import type { ConfirmedRefund } from '@meridian/payments'
import { raiseAlertPart } from '../alerts/raise-alert.ts'
import { type RefundArrival, type RefundSettlement, settleRefundIn } from './settle-refund.ts'

/** A refund that we did not ask for: kept, and somebody looks at it. */
async function recordExternalRefund(client: PoolClient, refund: ConfirmedRefund): Promise<void> {
  const { outRefundNo, outTradeNo, transactionId, refundId, amountFen, status } = refund
  const kept = Prisma.sql`
      INSERT INTO external_refunds (out_refund_no, out_trade_no, transaction_id, refund_id, amount_fen, status)
      VALUES (${outRefundNo}, ${outTradeNo}, ${transactionId}, ${refundId}, ${amountFen}, ${status})
      ON CONFLICT (out_refund_no) DO UPDATE SET status = excluded.status, last_at = business_now()`
  const detail = { out_refund_no: outRefundNo, amount_fen: amountFen }
  const parts = [raiseAlertPart('external_refund', outTradeNo, detail), part('kept', [], kept)] as const
  await execute(client, statement({ name: 'record-external-refund', parts }))
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
