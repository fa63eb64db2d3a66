/** Counts and sums are exact up to this many rows; beyond, the console says "10,000+". */
export const EXACT_COUNT_LIMIT = 10_000

/** What waits for somebody is counted so far; beyond it one is told that there is more. */
export const WAITING_COUNT_LIMIT = 99

/** How many orders are read at once: as many as a page of the list usually has. */
export const ORDERS_AT_ONCE = 20
