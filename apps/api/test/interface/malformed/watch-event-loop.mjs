import { monitorEventLoopDelay } from 'node:perf_hooks'

const everyMs = 10
const delay = monitorEventLoopDelay({ resolution: everyMs })
delay.enable()

// A process that was not given the machine looks as if it stood still: what counts is how long it computed.
let computedMs = 0
let at = performance.now()
let cpu = process.cpuUsage()
setInterval(() => {
  const used = process.cpuUsage(cpu)
  const gap = performance.now() - at - everyMs
  computedMs = Math.max(computedMs, Math.min(gap, (used.user + used.system) / 1000))
  at = performance.now()
  cpu = process.cpuUsage()
}, everyMs).unref()

// Not SIGUSR2, at which the program begins a profile, which takes as long as its code is large.
process.on('SIGCONT', () => {
  process.stderr.write(`event loop: ${JSON.stringify({ computedMs, delayMs: delay.max / 1e6 })}\n`)
  computedMs = 0
  delay.reset()
})
