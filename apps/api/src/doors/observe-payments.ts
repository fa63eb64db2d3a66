import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'

/** What is our own failure: a platform that failed or kept silent (502, 504) has alerts of its own. */
const ours: readonly number[] = [500, 503]

/** Of a purchase the platform may take five seconds, and we two: who waits longer is not served. */
const slowestMs = 7_000

/**
 * Counts, of every route that pays, the answers that served somebody and those in which we failed. Where payments are
 * not configured nobody can be served, and nobody is missed.
 */
export function observePayments(app: FastifyInstance, { observations, payments }: Services): void {
  if (!payments) return
  app.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    if (!request.routeOptions.config.pays) return
    const served = statusCode < 300
    if (ours.includes(statusCode) || (served && elapsedTime > slowestMs))
      observations.note('payment_request_failed')
    else if (served) observations.note('payment_request_served')
  })
}
