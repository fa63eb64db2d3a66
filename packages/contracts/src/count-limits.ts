/** Counts and sums are exact up to this many rows; beyond, the console says "10,000+". */
export const EXACT_COUNT_LIMIT = 10_000

/** What waits for somebody is counted so far; beyond it one is told that there is more. */
export const WAITING_COUNT_LIMIT = 99
