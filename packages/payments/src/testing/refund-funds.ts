import { ACCOUNT_OF_BOTH_MONEYS, ACCOUNT_OF_FROZEN_MONEY, SHARES_OUTRANK_ACCOUNT } from './open-questions.ts'
import type { FundsAccount, PlatformOrder, PlatformPayment } from './platform-types.ts'
import type { RefundParameters } from './refund-parameters.ts'
import { Refusal } from './reply.ts'

const FROZEN_FOR_MS = 30 * 86_400_000

/** The money of an order with profit sharing is frozen for thirty days after its payment (protocol §3.1). */
export const isFrozen = (order: PlatformOrder, payment: PlatformPayment, now: Date): boolean =>
  order.isProfitSharing && now.getTime() - payment.paidAt.getTime() < FROZEN_FOR_MS

const notEnough = (message: string) => new Refusal(403, { code: 'NOT_ENOUGH', message })

/**
 * The account that pays for a refund: the one asked for, else where the order's money lies. Several at once only while
 * the money of a profit-sharing order is frozen (protocol §6.1).
 */
export function accountOf({ amount, funds_account: asked }: RefundParameters, frozen: boolean): FundsAccount {
  const { from } = amount
  if (from && (SHARES_OUTRANK_ACCOUNT || asked === undefined)) return accountOfShares(from, frozen)
  if (asked === 'UNSETTLED' && !frozen) throw notEnough('交易未结算资金不足，请使用可用余额退款')
  return asked ?? (frozen ? ACCOUNT_OF_FROZEN_MONEY : 'AVAILABLE')
}

type Share = NonNullable<RefundParameters['amount']['from']>[number]

function accountOfShares(shares: readonly Share[], frozen: boolean): FundsAccount {
  const [only, other] = shares
  if (other && !frozen)
    throw new Refusal(400, { code: 'INVALID_REQUEST', message: '只有待分账的订单可以指定多个出资账户' })
  if (only?.account === 'UNAVAILABLE' && !frozen) throw notEnough('不可用余额不足')
  return other ? ACCOUNT_OF_BOTH_MONEYS : (only?.account ?? 'AVAILABLE')
}
