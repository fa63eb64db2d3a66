import { MOST_WEBHOOK_ATTEMPTS } from '@meridian/contracts'

const [second, minute, hour] = [1, 60, 3600]

/** The gaps between tries, in seconds (SPEC §17): the first is made at once, the tenth is the last. */
const gaps = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

const spread = 0.1

/**
 * How long after a failed try the next one is made, in seconds: its gap, up to a tenth shorter or longer, so that what
 * failed together does not come back together. Null after the last.
 * @param attempts how many were made
 * @param chance from 0 to 1
 */
export function secondsToNextTry(attempts: number, chance: number): number | null {
  if (attempts >= MOST_WEBHOOK_ATTEMPTS) return null
  return (gaps[attempts] ?? 0) * (1 - spread + 2 * spread * chance)
}
