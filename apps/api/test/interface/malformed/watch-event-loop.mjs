import { existsSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const everyMs = 10
const delay = monitorEventLoopDelay({ resolution: everyMs })
delay.enable()

// A process that was not given the machine looks as if it stood still: what counts is how long the thread of the event
// loop computed, which Linux keeps apart from the threads that collect garbage, compress and encrypt.
const ofThread = '/proc/self/schedstat'
const ofProcessMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const computedSoFarMs = existsSync(ofThread)
  ? () => Number(readFileSync(ofThread, 'utf8').split(' ')[0]) / 1e6
  : ofProcessMs

let computedMs = 0
let at = performance.now()
let computed = computedSoFarMs()
setInterval(() => {
  const gap = performance.now() - at - everyMs
  computedMs = Math.max(computedMs, Math.min(gap, computedSoFarMs() - computed))
  at = performance.now()
  computed = computedSoFarMs()
}, everyMs).unref()

// Not SIGUSR2, at which the program begins a profile, which takes as long as its code is large.
process.on('SIGCONT', () => {
  process.stderr.write(`event loop: ${JSON.stringify({ computedMs, delayMs: delay.max / 1e6 })}\n`)
  computedMs = 0
  delay.reset()
})
