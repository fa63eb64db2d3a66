import type { OrderStatus } from './order-status.ts'

/** For so many days after the payment the platform takes a refund (SPEC §4); nothing older is asked for. */
export const refundableDays = 365
/** So many refunds of one order the platform takes (SPEC §4); a constraint on `orders` holds the same number. */
export const refundsAtMost = 50

/** The trade type of what Apple took. We cannot give it back: its user asks Apple (SPEC §15). */
export const appleTradeType = 'APPLE'
export const isByApple = ({ tradeType }: { tradeType: string | null }): boolean =>
  tradeType === appleTradeType

type Standing = { status: OrderStatus; parked: boolean; tradeType: string | null }
type Sums = Standing & { amountFen: number; reservedFen: number }

/** Why nothing of an order may be refunded as it stands, whatever the sum; null when something may. */
export function standingObstacleOf({ status, parked, ...payment }: Standing) {
  if (status !== 'paid') return 'not_paid'
  if (isByApple(payment)) return 'by_apple'
  return parked ? 'parked' : null
}

/** What of an order may still be refunded; `reservedFen` is what its refunds took or hold. */
export const refundableFenOf = ({ amountFen, reservedFen, ...standing }: Sums): number =>
  standingObstacleOf(standing) === null ? amountFen - reservedFen : 0

type Asked = Sums & { askedFen: number; tooOld: boolean; refundCount: number }

/** Why a refund of `askedFen` would not be written: its conditions, in the order they are looked at. */
export function refundObstacleOf({ askedFen, tooOld, refundCount, ...order }: Asked) {
  const obstacle = standingObstacleOf(order)
  if (obstacle !== null) return obstacle
  if (tooOld) return 'too_old'
  if (refundCount >= refundsAtMost) return 'too_many'
  return askedFen > refundableFenOf(order) ? 'too_much' : null
}

/** What is left of an order that was paid, less what was refunded of it to date; its fee stands beside it. */
export const netFenOfOrder = ({
  paidAt,
  amountFen,
  refundedFen,
}: {
  paidAt: Date | null
  amountFen: number
  refundedFen: number
}): number | null => (paidAt ? amountFen - refundedFen : null)
