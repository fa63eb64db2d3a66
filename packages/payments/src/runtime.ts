import { randomBytes } from 'node:crypto'

/** How a call ended; the last two are no answer at all. */
export type CallOutcome = 'ok' | 'refused' | 'failed' | 'unverified' | 'malformed' | 'timeout' | 'unreachable'

/** One call to a platform with all its attempts, as it ended. */
export type PlatformCall = {
  platform: 'payment' | 'mini_program'
  endpoint: string
  outcome: CallOutcome
  seconds: number
}

/** The outside world: the network, the clock and chance. Tests pass their own. */
export type Runtime = {
  fetch: typeof fetch
  now: () => Date
  nonce: () => string
  /** Is told of every call that was sent, when it has ended. */
  sawCall?: (call: PlatformCall) => void
}

/** The real network, the machine's clock and 32 random hexadecimal characters (protocol §1.2). */
export const systemRuntime: Runtime = {
  fetch: (input, init) => fetch(input, init),
  now: () => new Date(),
  nonce: () => randomBytes(16).toString('hex'),
}
