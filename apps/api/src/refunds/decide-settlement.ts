import { canMoveRefund } from '@meridian/contracts'
import type { ConfirmedRefund } from '@meridian/payments'
import type { LockedRefund } from './lock-refund.ts'

export type SettlementDecision =
  | { verdict: 'settle' }
  | { verdict: 'unchanged' }
  | { verdict: 'contradicted' }
  | { verdict: 'mismatch'; fields: string[] }

/**
 * What differs between the platform's word and our refund. Everything it says is compared; what a message does not
 * name (query answers no merchant, notifications no currency, bills no total; protocol §6.1, §6.5, §7.4) is taken as
 * agreed.
 */
function differingFields(known: LockedRefund, said: ConfirmedRefund, ownMchId: string): string[] {
  const agreed = {
    out_trade_no: said.outTradeNo === known.outTradeNo,
    transaction_id: said.transactionId === known.transactionId,
    refund: said.amountFen === known.amountFen,
    total: said.totalFen === null || said.totalFen === known.totalFen,
    currency: said.currency === null || said.currency === known.currency,
    merchant: (said.mchId ?? ownMchId) === known.mchId,
    refund_id: known.platformRefundId === null || said.refundId === known.platformRefundId,
  }
  return Object.entries(agreed).flatMap(([field, agrees]) => (agrees ? [] : [field]))
}

/** Another end than the one the refund has, or an end of what was never sent. */
function contradicts({ status }: LockedRefund, said: ConfirmedRefund): boolean {
  if (said.status === 'succeeded') return status !== 'succeeded' && !canMoveRefund(status, 'succeed')
  return said.status === 'closed' && status === 'succeeded'
}

/**
 * What becomes of the platform's word about a refund. A contradiction that somebody has decided stays decided: the
 * platform's repeats of either end change nothing further.
 */
export function decideSettlement(
  known: LockedRefund,
  said: ConfirmedRefund,
  ownMchId: string,
): SettlementDecision {
  const fields = differingFields(known, said, ownMchId)
  if (fields.length > 0) return { verdict: 'mismatch', fields }
  if (!contradicts(known, said)) return { verdict: 'settle' }
  return { verdict: known.isDecided ? 'unchanged' : 'contradicted' }
}
