type Usual = {
  amountFen: number
  durationDays: number
  refundedFen: number
  refundableFen: number
  /** Days that refunds have taken back, and days that lie ahead. */
  takenDays: number
  unusedDays: number
}

/**
 * What is usually given back of an order: half of it, and what its unused days come to. The latter is the least sum that
 * takes all of them by the rule of a refund's days (`dueDaysSql`): the order's days in proportion to what is refunded
 * then, rounded down, less what was taken. Neither is more than is refundable.
 */
export function usualAmounts(order: Usual): { halfFen: number; unusedFen: number } {
  const { amountFen, durationDays, refundedFen, refundableFen, takenDays, unusedDays } = order
  const refundable = (fen: number) => Math.max(0, Math.min(fen, refundableFen))
  const forDays = Math.ceil((amountFen * (takenDays + unusedDays)) / durationDays) - refundedFen
  return {
    halfFen: refundable(Math.floor(amountFen / 2)),
    unusedFen: unusedDays === 0 ? 0 : refundable(forDays),
  }
}
