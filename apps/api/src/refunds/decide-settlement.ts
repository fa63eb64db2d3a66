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

type Compared = Record<string, [Value, Value]>

/**
 * What a message of JSAPI says. What it does not name (query answers no merchant, notifications no currency, bills no
 * total; protocol §6.1, §6.5, §7.4) is taken as agreed.
 */
const jsapiFacts = (known: LockedRefund, said: ConfirmedRefund, ownMchId: string | null): Compared => ({
  out_trade_no: [known.outTradeNo, said.outTradeNo],
  transaction_id: [known.paymentNo, said.transactionId],
  refund: [known.amountFen, said.amountFen],
  total: [known.totalFen, said.totalFen ?? known.totalFen],
  currency: [known.currency, said.currency ?? known.currency],
  merchant: [known.mchId, said.mchId ?? ownMchId],
  refund_id: [known.platformRefundId ?? said.refundId, said.refundId],
})

/**
 * What a message of virtual payment says: the number that was paid is the attempt's, and answers about a refund name
 * none (virtual payment §3.2, §4.5). No page says that pushes and answers name a refund by the same id of theirs.
 */
const virtualFacts = (known: LockedRefund, said: ConfirmedRefund): Compared => ({
  out_trade_no: [known.paymentNo, said.outTradeNo ?? known.paymentNo],
  refund: [known.amountFen, said.amountFen],
})

/** What differs between the platform's word and our refund: everything it says is compared. */
function differencesOf(known: LockedRefund, said: ConfirmedRefund, ownMchId: string | null): Differences {
  const compared = {
    channel: [known.channel, said.channel] satisfies [Value, Value],
    ...(said.channel === 'virtual' ? virtualFacts(known, said) : jsapiFacts(known, said, ownMchId)),
  }
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
  ownMchId: string | null,
): SettlementDecision {
  const differs = differencesOf(known, said, ownMchId)
  const fields = Object.keys(differs)
  if (fields.length > 0) return { verdict: 'mismatch', fields, differs }
  if (!contradicts(known, said)) return { verdict: 'settle' }
  return { verdict: known.isDecided ? 'unchanged' : 'contradicted' }
}
