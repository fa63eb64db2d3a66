import { randomUUID } from 'node:crypto'
import { tracingChannel } from 'node:diagnostics_channel'
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

/**
 * The real network, the machine's clock and 32 hexadecimal characters (protocol §1.2), 122 bits of them random: of a UUID,
 * whose bits Node draws ahead for many.
 */
export const systemRuntime: Runtime = {
  fetch: (input, init) => fetch(input, init),
  now: () => new Date(),
  nonce: () => randomUUID().replaceAll('-', ''),
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

/** What the tracing channel is told of a call, and at its end how that was. */
export type TracedCall = Pick<PlatformCall, 'platform' | 'endpoint'> & { outcome?: CallOutcome }

// A tracing channel of Node: where nobody listens, a call is made as if there were none.
const calls = tracingChannel<unknown, TracedCall>('meridian:platform-call')

/**
 * Does one call and tells who listens how it ended and how long it took: `sawCall`, and the tracing channel
 * `meridian:platform-call`.
 */
export async function observed<Result>(
  { sawCall }: Runtime,
  call: Pick<PlatformCall, 'platform' | 'endpoint'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now()
  const traced: TracedCall = { ...call }
  const end = (outcome: CallOutcome) => {
    traced.outcome = outcome
    sawCall?.({ ...call, outcome, seconds: (performance.now() - started) / 1000 })
  }
  const watched = async () => {
    try {
      const result = await work()
      end('ok')
      return result
    } catch (error) {
      end(outcomeOf(error))
      throw error
    }
  }
  return calls.hasSubscribers ? calls.tracePromise(watched, traced) : watched()
}
