import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export const isReading = (method: string): boolean => reading.has(method)

/**
 * While the primary does not answer, what phones read comes from the replica (SPEC §18). A route that answers by
 * `reply.send` is taken to have read all it needs before.
 */
export function routeReads(app: FastifyInstance, { replica, reads }: Services): void {
  if (!replica) return
  app.addHook('onRoute', (route) => {
    const { handler } = route
    if (![route.method].flat().every(isReading)) return
    route.handler = function (request, reply) {
      return reads.read('primary', async () => handler.call(this, request, reply))
    }
  })
}
