const DAY_MS = 24 * 3_600_000

/** A line of a user's ledger of days, as income sees it; in the order of the ledger. */
export type LedgerLine = {
  effectiveAt: Date
  /** Taken away where negative. */
  days: number
  /** Whose days these are: of a purchase its order, of days taken back the order that was refunded; else nobody's. */
  orderId: bigint | null
}

/** The money of an order whose days stand in the ledger. */
export type OrderMoney = {
  orderId: bigint
  amountFen: number
  refunds: readonly { succeededAt: Date; fen: number }[]
}

export type OrderIncome = {
  orderId: bigint
  receivedFen: number
  refundedFen: number
  /** For days that are over. */
  recognisedFen: number
  /** For days that are not. */
  deferredFen: number
}

/** Days of one grant: how long of them was used, and how long is left. */
type Stretch = { orderId: bigint | null; usedMs: number; leftMs: number }

/**
 * How much of a sum falls on the first days of so many: every day has as much as every other, and the fen that are left
 * over fall on the first ones, one each. The days together have the whole sum.
 */
export function shareOfDays(fen: number, { days, of }: { days: number; of: number }): number {
  if (of === 0) return fen
  return Math.floor(fen / of) * days + Math.min(fen % of, days)
}

/** Time passes: days are used up in the order in which they were written. */
function passTime(stretches: readonly Stretch[], ms: number): void {
  let left = ms
  for (const stretch of stretches) {
    const used = Math.min(stretch.leftMs, left)
    stretch.usedMs += used
    stretch.leftMs -= used
    left -= used
  }
}

/** Days are taken back: of the refunded order first, and what is missing there (a begun day) of what follows. */
function takeBack(stretches: readonly Stretch[], orderId: bigint, ms: number): void {
  let left = ms
  const own = stretches.filter((stretch) => stretch.orderId === orderId)
  const others = stretches.filter((stretch) => stretch.orderId !== orderId)
  for (const stretch of [...own, ...others.toReversed()]) {
    const taken = Math.min(stretch.leftMs, left)
    stretch.leftMs -= taken
    left -= taken
  }
}

/** The days of a user at an instant, by what is written up to then. */
export function stretchesAt(ledger: readonly LedgerLine[], at: Date): Stretch[] {
  const stretches: Stretch[] = []
  let since = ledger[0]?.effectiveAt ?? at
  for (const { effectiveAt, days, orderId } of ledger) {
    if (effectiveAt > at) break
    passTime(stretches, effectiveAt.getTime() - since.getTime())
    since = effectiveAt
    if (days > 0) stretches.push({ orderId, usedMs: 0, leftMs: days * DAY_MS })
    else if (orderId !== null) takeBack(stretches, orderId, -days * DAY_MS)
    // Taken by hand, without money going back: as if they had been used.
    else passTime(stretches, -days * DAY_MS)
  }
  passTime(stretches, at.getTime() - since.getTime())
  return stretches
}

/**
 * What of each order's money belongs to days that are over, and what to days that are not. The money is what was received
 * less what was refunded up to then; the days are those of the order's purchase, less those that refunds took back. A begun
 * day is not over. Days that nobody paid for carry no money and are used in their turn. Recognised and deferred together
 * are received less refunded, to the fen.
 */
export function incomeAt(
  { ledger, orders }: { ledger: readonly LedgerLine[]; orders: readonly OrderMoney[] },
  at: Date,
): OrderIncome[] {
  const stretches = stretchesAt(ledger, at)
  return orders.flatMap(({ orderId, amountFen, refunds }) => {
    const own = stretches.find((stretch) => stretch.orderId === orderId)
    if (!own) return []
    const refundedFen = refunds
      .filter(({ succeededAt }) => succeededAt <= at)
      .reduce((sum, { fen }) => sum + fen, 0)
    const [over, ahead] = [Math.floor(own.usedMs / DAY_MS), Math.ceil(own.leftMs / DAY_MS)]
    const kept = amountFen - refundedFen
    const recognisedFen = ahead === 0 ? kept : shareOfDays(kept, { days: over, of: over + ahead })
    return [
      { orderId, receivedFen: amountFen, refundedFen, recognisedFen, deferredFen: kept - recognisedFen },
    ]
  })
}
