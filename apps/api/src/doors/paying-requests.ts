import type { FastifyInstance } from 'fastify'
import { afterPayers, payerCame } from '../platform/streams/event-loop-turns.ts'
import type { Services } from '../services.ts'

/** Lets whoever pays be computed for first: every other request waits for them, for some milliseconds at most. */
export function servePayersFirst(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (!request.routeOptions.config.pays) await afterPayers()
  })
  // Once the body is there: whoever holds it back makes nobody wait.
  app.addHook('preValidation', async (request, reply) => {
    // Node closes an answer once it is sent, and also where its caller hangs up.
    if (request.routeOptions.config.pays) reply.raw.once('close', payerCame())
  })
}

/** What is our own failure: a platform that failed or kept silent (502, 504) has alerts of its own. */
const ours: readonly number[] = [500, 503]

/** Of a purchase the platform may take five seconds, and we two: who waits longer is not served. */
const slowestMs = 7_000

/**
 * Counts, of every route that pays, the answers that served somebody and those in which we failed. Where payments are
 * not configured nobody can be served, and nobody is missed.
 */
export function observePayments(app: FastifyInstance, { observations, payments, virtual }: Services): void {
  if (!payments && !virtual) return
  app.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    if (!request.routeOptions.config.pays) return
    const served = statusCode < 300
    if (ours.includes(statusCode) || (served && elapsedTime > slowestMs))
      observations.note('payment_request_failed')
    else if (served) observations.note('payment_request_served')
  })
}
