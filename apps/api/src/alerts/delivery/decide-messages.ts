import type { AlertNews } from './write-message.ts'

/** One message, as the alerts it tells: one alert, or many in a bundle. */
export type Batch = readonly AlertNews[]

/**
 * Which messages to send now. What fits is told one by one; where more waits than may be sent within the minute, the
 * last message that may be sent bundles the rest.
 */
export function decideMessages(unsent: readonly AlertNews[], allowance: number): Batch[] {
  if (allowance <= 0) return []
  if (unsent.length <= allowance) return unsent.map((news) => [news])
  const alone = unsent.slice(0, allowance - 1)
  return [...alone.map((news) => [news]), unsent.slice(allowance - 1)]
}
