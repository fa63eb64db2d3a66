import { Interrupted } from './refusal.mjs'

const sameRequestMs = 5_000
const stopSignals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

const controller = new AbortController()
let firstAt = 0
/** @type {() => void} */
let endNow = () => undefined

/** Aborted by the first SIGINT, SIGTERM or SIGHUP; every story of this folder watches it. */
export const interruption = controller.signal

/**
 * npm and the terminal both deliver Ctrl-C, so a repeat within five seconds is the same request.
 * A later one means that the reader's patience is over.
 * @param {NodeJS.Signals} signal
 */
function onSignal(signal) {
  const now = Date.now()
  if (firstAt === 0) {
    firstAt = now
    controller.abort(new Interrupted(`stopped by ${signal}`))
    return
  }
  if (now - firstAt < sameRequestMs) return
  endNow()
  process.exit(130)
}

/** @param {() => void} killEverything called when a second request comes after five seconds */
export function listenForInterruption(killEverything) {
  endNow = killEverything
  for (const signal of stopSignals) process.on(signal, onSignal)
}

/** Gives the signals back, for a program that runs in this process and handles them itself. */
export function leaveSignalsToTheProgram() {
  for (const signal of stopSignals) process.off(signal, onSignal)
}
