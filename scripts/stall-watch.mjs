const beatMs = 1000
const unremarkableMs = 3000

/**
 * Watches for the machine standing still (a virtual one is paused, its disk is full of work): a process that only
 * waits misses its beat. Such a pause runs into every limit of time, and says more about a failure than the failure.
 * @returns {() => number} the seconds lost so far
 */
export function watchStalls() {
  let lostMs = 0
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    if (now - last - beatMs > unremarkableMs) lostMs += now - last - beatMs
    last = now
  }, beatMs).unref()
  return () => Math.round(lostMs / 1000)
}
