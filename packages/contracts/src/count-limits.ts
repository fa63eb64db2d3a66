/** Counts and sums are exact up to this many rows; beyond, the console says "10,000+". */
export const EXACT_COUNT_LIMIT = 10_000

/** What waits for somebody is counted so far; beyond it one is told that there is more. */
export const WAITING_COUNT_LIMIT = 99

/** A subscription that ends within so many days ends soon. */
export const ENDS_SOON_DAYS = 7

/** How many orders are read at once: as many as a page of the list usually has. */
export const ORDERS_AT_ONCE = 20

/** How much of what was opened last is kept at hand. */
export const MOST_RECENT = 10

/** A list of up to so many rows leaves at once; a longer one is written by a worker. */
export const EXPORT_AT_ONCE_ROWS = 5_000

/** What waits is put off for no longer than so many days. */
export const longestSnoozeDays = 90

/** The longest range the dashboard adds up, in days. */
export const DASHBOARD_MOST_DAYS = 92
