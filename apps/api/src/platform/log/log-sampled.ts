/**
 * Logs the first event at once and those that follow once per interval, as a number: what strangers can cause
 * by the thousand fills no log.
 */
export function logSampled(everyMs: number, log: (times: number) => void): () => void {
  let unlogged = 0
  let quietUntil = 0
  return () => {
    unlogged += 1
    const now = performance.now()
    if (now < quietUntil) return
    quietUntil = now + everyMs
    log(unlogged)
    unlogged = 0
  }
}
