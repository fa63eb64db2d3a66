import type { FastifyInstance } from 'fastify'
import { afterPayers, payerCame } from '../platform/streams/event-loop-turns.ts'

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
