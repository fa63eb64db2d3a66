const FRESH_FOR_MS = 300_000
/** What was under way when the clock was moved may arrive so much later, in real time. */
const UNDER_WAY_MS = 10_000

/** The platform's clock. It may be moved, always forward, together with that of the merchant's database. */
export type PlatformClock = {
  now: () => Date
  /** Sets it to how far the merchant's is ahead, where that was moved while the platform was away. */
  set: (aheadMs: number) => void
  /** Whether a merchant's timestamp, in seconds, is at most five minutes off (protocol §1.2). */
  isFresh: (timestamp: number) => boolean
  /** Fulfilled at once, or when a move under way is over: nobody speaks to a merchant between two times. */
  settled: () => Promise<void>
  /**
   * Moves it. `meanwhile` moves the merchant's: until it is done nothing is answered and nothing is delivered, and
   * requests that were signed before are good for a moment longer.
   */
  move: (byMs: number, meanwhile?: () => Promise<void>) => Promise<void>
}

export function platformClock(base: () => Date): PlatformClock {
  let aheadMs = 0
  let moved: { byMs: number; at: number } | null = null
  let moving: Promise<void> = Promise.resolve()
  const now = () => new Date(base().getTime() + aheadMs)
  const isUnderWay = () => moved !== null && performance.now() - moved.at < UNDER_WAY_MS
  const moveNow = async (byMs: number, meanwhile?: () => Promise<void>) => {
    await meanwhile?.()
    aheadMs += byMs
    moved = { byMs, at: performance.now() }
  }
  return {
    now,
    set: (ms) => {
      aheadMs = ms
    },
    isFresh: (timestamp) => {
      const age = now().getTime() - timestamp * 1000
      const ageBefore = isUnderWay() && moved ? age - moved.byMs : age
      return Math.min(Math.abs(age), Math.abs(ageBefore)) <= FRESH_FOR_MS
    },
    settled: () => moving,
    move: (byMs, meanwhile) => {
      if (!(byMs > 0)) throw new RangeError('a clock is moved forward')
      const done = moving.then(() => moveNow(byMs, meanwhile))
      moving = done.catch(() => undefined)
      return done
    },
  }
}
