import { before, minuteMs, type Watch } from '../condition.ts'
import { isLater, readObservations } from '../read-observations.ts'

const windowMs = 5 * minuteMs
const fewest = 3
/** One in so many requests. */
const oneIn = 5
/** Shorter is a database that restarts, or a moment without a connection: who repeats is served. */
const shortestMs = 20_000
/** As long the platform repeats a delivery. */
const keptMs = 24 * 60 * minuteMs

/**
 * We fail those who pay: purchases, syncs and deliveries of the platform are answered 500 or 503, whatever the reason (a
 * slow or locked database, connections that are all taken, a fault of ours). Over when one was served since and none
 * failed for five minutes.
 */
export const paymentsFailing: Watch = {
  kind: 'payments_failing',
  find: async ({ pool, now }) => {
    const kinds = ['payment_request_failed', 'payment_request_served'] as const
    const seen = await readObservations(pool, kinds, { since: before(now, windowMs), until: now })
    const [failed, served] = [seen('payment_request_failed'), seen('payment_request_served')]
    if (!failed.lastAt || failed.lastAt <= before(now, keptMs)) return []
    if (failed.recent === 0 && !isLater(failed, served)) return []
    const isMany = failed.recent >= fewest && failed.recent * oneIn >= failed.recent + served.recent
    const detail = { failed: failed.recent, served: served.recent, last_served_at: served.lastAt }
    const opens = isMany && failed.recentMs >= shortestMs
    return [{ subject: 'requests', detail, evidenceAt: failed.lastAt, opens }]
  },
}
