export const DAY_MS = 24 * 3_600_000

/** A line of a user's ledger of days, as income sees it; in the order of the ledger. */
export type LedgerLine = {
  effectiveAt: Date
  /** Taken away where negative. */
  days: number
  /** Whose days these are: of a purchase its order, of days taken back the order that was refunded; else nobody's. */
  orderId: bigint | null
  /** Days that go with an import that is taken back: nobody paid for them here, and they are the newest. */
  isGivenBack?: boolean
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
export type Stretch = { orderId: bigint | null; usedMs: number; leftMs: number }

/**
 * How much of a sum falls on the first days of so many: every day has as much as every other, and the fen that are left
 * over fall on the first ones, one each. The days together have the whole sum.
 */
export function shareOfDays(fen: number, { days, of }: { days: number; of: number }): number {
  if (of === 0) return fen
  return Math.floor(fen / of) * days + Math.min(fen % of, days)
}

/** A ledger that is walked along: the days up to an instant, by the lines that were written so far. */
export type Walk = {
  stretches: Stretch[]
  at: Date
  /** Index of the first stretch that may have days left. */
  next: number
  /** The stretches that changed since the reader of the walk last cleared this set. */
  changed: Set<Stretch>
}

export const startOf = (ledger: readonly LedgerLine[]): Walk => ({
  stretches: [],
  at: ledger[0]?.effectiveAt ?? new Date(0),
  next: 0,
  changed: new Set(),
})

function use(walk: Walk, stretch: Stretch, { usedMs = 0, takenMs = 0 }): void {
  if (usedMs + takenMs === 0) return
  stretch.usedMs += usedMs
  stretch.leftMs -= usedMs + takenMs
  walk.changed.add(stretch)
}

/** Time passes: days are used up in the order in which they were written. */
function passTime(walk: Walk, ms: number): void {
  let left = ms
  for (let at = walk.next; left > 0; at += 1) {
    const stretch = walk.stretches[at]
    if (!stretch) return
    const usedMs = Math.min(stretch.leftMs, left)
    use(walk, stretch, { usedMs })
    left -= usedMs
    if (stretch.leftMs === 0) walk.next = at + 1
  }
}

/**
 * Days are taken back: of the refunded order first, and what is missing there (a begun day) of what follows; without an
 * order, of the newest.
 */
function takeBack(walk: Walk, orderId: bigint | null, ms: number): void {
  let left = ms
  const isOwn = (stretch: Stretch) => orderId !== null && stretch.orderId === orderId
  const own = walk.stretches.filter(isOwn)
  const others = walk.stretches.filter((stretch) => !isOwn(stretch))
  for (const stretch of [...own, ...others.toReversed()]) {
    const takenMs = Math.min(stretch.leftMs, left)
    use(walk, stretch, { takenMs })
    left -= takenMs
  }
}

function addDays(walk: Walk, orderId: bigint | null, ms: number): void {
  const stretch = { orderId, usedMs: 0, leftMs: ms }
  walk.stretches.push(stretch)
  walk.changed.add(stretch)
}

/** Whether some of its days are left. */
export function hasDaysLeft({ stretches, next }: Walk): boolean {
  for (let at = next; at < stretches.length; at += 1) if (stretches[at]?.leftMs) return true
  return false
}

/** Walks over these lines, and on to this instant. Imported ones may be of a time that has passed: it passes once. */
export function walkOn(walk: Walk, lines: readonly LedgerLine[], at: Date): void {
  const pass = (until: Date) => {
    if (until <= walk.at) return
    passTime(walk, until.getTime() - walk.at.getTime())
    walk.at = until
  }
  for (const { effectiveAt, days, orderId, isGivenBack = false } of lines) {
    pass(effectiveAt)
    if (days > 0) addDays(walk, orderId, days * DAY_MS)
    else if (orderId !== null || isGivenBack) takeBack(walk, orderId, -days * DAY_MS)
    // Taken by hand, without money going back: as if they had been used.
    else passTime(walk, -days * DAY_MS)
  }
  pass(at)
}

/** The days of a user at an instant, by what is written up to then. */
export function stretchesAt(ledger: readonly LedgerLine[], at: Date): Stretch[] {
  const walk = startOf(ledger)
  walkOn(
    walk,
    ledger.filter(({ effectiveAt }) => effectiveAt <= at),
    at,
  )
  return walk.stretches
}

/** How much of this money belongs to days of the stretch that are over: a begun day is not. */
export function recognisedOf(fen: number, { usedMs, leftMs }: Stretch): number {
  const [over, ahead] = [Math.floor(usedMs / DAY_MS), Math.ceil(leftMs / DAY_MS)]
  return ahead === 0 ? fen : shareOfDays(fen, { days: over, of: over + ahead })
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
    const kept = amountFen - refundedFen
    const recognisedFen = recognisedOf(kept, own)
    return [
      { orderId, receivedFen: amountFen, refundedFen, recognisedFen, deferredFen: kept - recognisedFen },
    ]
  })
}
