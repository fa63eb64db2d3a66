const everyMs = 5

/**
 * Watches for how long this process computes without letting anybody else have a turn. A process that was not given
 * the machine looks as if it stood still: what counts is how long it computed meanwhile.
 */
export function watchStalls() {
  let longest = 0
  let at = performance.now()
  let cpu = process.cpuUsage()
  const timer = setInterval(() => {
    const used = process.cpuUsage(cpu)
    const gap = performance.now() - at - everyMs
    longest = Math.max(longest, Math.min(gap, (used.user + used.system) / 1000))
    at = performance.now()
    cpu = process.cpuUsage()
  }, everyMs)
  return {
    longestMs: () => {
      clearInterval(timer)
      return longest
    },
  }
}
