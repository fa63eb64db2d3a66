import { canMoveRefund } from '@meridian/contracts'
import type { ConfirmedRefund } from '@meridian/payments'
import type { LockedRefund } from './move-refund.ts'

type Value = string | number | null

/** What differs, by field: ours and what the platform said. */
export type Differences = Record<string, { ours: Value; theirs: Value }>

export type SettlementDecision =
  | { verdict: 'settle' }
  | { verdict: 'unchanged' }
  | { verdict: 'contradicted' }
  | { verdict: 'mismatch'; fields: string[]; differs: Differences }

/**
 * What differs between the platform's word and our refund. Everything it says is compared; what a message does not
 * name (query answers no merchant, notifications no currency, bills no total; protocol §6.1, §6.5, §7.4) is taken as
 * agreed.
 */
function differencesOf(known: LockedRefund, said: ConfirmedRefund, ownMchId: string): Differences {
  const compared = {
    out_trade_no: [known.outTradeNo, said.outTradeNo],
    transaction_id: [known.transactionId, said.transactionId],
    refund: [known.amountFen, said.amountFen],
    total: [known.totalFen, said.totalFen ?? known.totalFen],
    currency: [known.currency, said.currency ?? known.currency],
    merchant: [known.mchId, said.mchId ?? ownMchId],
    refund_id: [known.platformRefundId ?? said.refundId, said.refundId],
  } satisfies Record<string, [Value, Value]>
  return Object.fromEntries(
    Object.entries(compared).flatMap(([field, [ours, theirs]]) =>
      ours === theirs ? [] : [[field, { ours, theirs }]],
    ),
  )
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
  const differs = differencesOf(known, said, ownMchId)
  const fields = Object.keys(differs)
  if (fields.length > 0) return { verdict: 'mismatch', fields, differs }
  if (!contradicts(known, said)) return { verdict: 'settle' }
  return { verdict: known.isDecided ? 'unchanged' : 'contradicted' }
}
