import { Month, monthAfter } from '@meridian/contracts'
import { createParser } from 'nuqs/server'

const month = createParser({
  parse: (text) => Month.safeParse(text).data ?? null,
  serialize: (value: string) => value,
})

/** The month of the finance page, as it stands in the address; without one, the month it is. */
export const financeParsers = { month }

/** The month it is on this day. */
export const monthOf = (today: string): Month => today.slice(0, 7)

/** How many months can be chosen. */
const offered = 24

/** The months that can be chosen, newest first; also the one that is shown, however old. */
export function monthsOffered(today: string, shown: Month): Month[] {
  const newest = monthOf(today)
  const months = Array.from({ length: offered }, (_, back) => monthAfter(newest, -back))
  return months.includes(shown) ? months : [...months, shown].sort().reverse()
}
