import type { MiniProgramError } from '@meridian/payments'

/** What becomes of one attempt; null: not again by itself. */
export type ShippingDecision = {
  state: 'uploaded' | 'not_needed' | 'pending' | 'failed'
  code: string | null
  retryAfterSeconds: number | null
  alert: 'shipping_refused' | 'shipping_misconfigured' | null
}

/** The order is refunded, settled or not of the kind that is shipped. */
const notShippable = 10060004
/** The token was not taken although it was fetched anew: another process is changing it. */
const tokenRefused: ReadonlySet<number | null> = new Set([40001, 40014, 42001])

/** Usually the platform knows the payment within a minute. */
const soonSeconds = [30, 30, 60, 120, 300, 900, 3600, 6 * 3600, 24 * 3600] as const
const busySeconds = [60, 300, 900, 3600, 3600, 6 * 3600, 6 * 3600, 24 * 3600] as const
const misconfiguredSeconds = 3600

const finished = (state: 'uploaded' | 'not_needed', code: string | null): ShippingDecision => ({
  state,
  code,
  retryAfterSeconds: null,
  alert: null,
})

/** Again after the next pause of the schedule; when it has run out, somebody must look. */
function again(schedule: readonly number[], attempt: number, code: string): ShippingDecision {
  const retryAfterSeconds = schedule[attempt] ?? null
  return retryAfterSeconds === null
    ? { state: 'failed', code, retryAfterSeconds, alert: 'shipping_refused' }
    : { state: 'pending', code, retryAfterSeconds, alert: null }
}

/** The platform has taken it, now or before. */
export const decideUploaded = (): ShippingDecision => finished('uploaded', null)

/** Nothing to tell: the order was never delivered, or all of it goes back. */
export const decideNotNeeded = (): ShippingDecision => finished('not_needed', null)

/** Paid, but without days until somebody decides: nothing has been handed over yet. */
export const decideUndelivered = (): ShippingDecision => ({
  state: 'pending',
  code: 'undelivered',
  retryAfterSeconds: 3600,
  alert: null,
})

/** By error class: too early and busy come again, what cannot be shipped ends, what we did wrong is told. */
export function decideRefused(error: MiniProgramError, attempt: number): ShippingDecision {
  const code = String(error.errcode ?? error.reason)
  if (error.errcode === notShippable) return finished('not_needed', code)
  if (error.reason === 'not_yet') return again(soonSeconds, attempt, code)
  if (error.reason === 'busy' || error.reason === 'unreachable' || tokenRefused.has(error.errcode))
    return again(busySeconds, attempt, code)
  return error.reason === 'misconfigured'
    ? { state: 'failed', code, retryAfterSeconds: misconfiguredSeconds, alert: 'shipping_misconfigured' }
    : { state: 'failed', code, retryAfterSeconds: null, alert: 'shipping_refused' }
}
