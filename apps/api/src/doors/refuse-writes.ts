import type { FastifyInstance } from 'fastify'
import type { DatabaseState } from '../platform/database/watch-database.ts'
import { DomainError } from '../platform/errors/domain-error.ts'

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * While the database takes no writes, whoever wants to write is told so at once (503, SPEC §18): a statement that waits
 * for a standby would hold its connection until it is given up, and nobody could read any more.
 */
export function refuseWritesWhileStuck(app: FastifyInstance, state: DatabaseState): void {
  app.addHook('onRequest', async ({ method }) => {
    if (!reading.has(method) && !state.takesWrites())
      throw new DomainError('service_unavailable', { retryAfterSeconds: 2 })
  })
}
