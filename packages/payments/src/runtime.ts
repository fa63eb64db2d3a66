import { randomBytes } from 'node:crypto'
import { MiniProgramError } from './mini-program/mini-program.ts'
import { type CallReason, PaymentsError } from './payments-error.ts'

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

const outcomes: Readonly<Record<Exclude<CallReason, 'refused' | 'invalid_request'>, CallOutcome>> = {
  unreachable: 'unreachable',
  timeout: 'timeout',
  unverified_answer: 'unverified',
  malformed_answer: 'malformed',
}

const isKnown = (reason: string): reason is keyof typeof outcomes => Object.hasOwn(outcomes, reason)

function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof MiniProgramError)
    return error.reason === 'unreachable' || error.reason === 'timeout' ? error.reason : 'refused'
  if (!(error instanceof PaymentsError)) return 'malformed'
  if (isKnown(error.reason)) return outcomes[error.reason]
  return (error.status ?? 0) >= 500 ? 'failed' : 'refused'
}

/** Does one call and tells who listens how it ended and how long it took. */
export async function observed<Result>(
  { sawCall }: Runtime,
  call: Pick<PlatformCall, 'platform' | 'endpoint'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now()
  const end = (outcome: CallOutcome) =>
    sawCall?.({ ...call, outcome, seconds: (performance.now() - started) / 1000 })
  try {
    const result = await work()
    end('ok')
    return result
  } catch (error) {
    end(outcomeOf(error))
    throw error
  }
}
