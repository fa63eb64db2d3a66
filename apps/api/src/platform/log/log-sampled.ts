/**
 * Tells of the first event at once and of those that follow once per interval, as a number: what strangers can cause
 * by the thousand fills no log.
 */
export function logSampled(everyMs: number, tell: (times: number) => void): () => void {
  let untold = 0
  let quietUntil = 0
  return () => {
    untold += 1
    const now = performance.now()
    if (now < quietUntil) return
    quietUntil = now + everyMs
    tell(untold)
    untold = 0
  }
}
