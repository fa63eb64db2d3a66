import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'
import { lookAtReadiness, type Readiness } from './readiness.ts'

/** At a sandbox, where somebody may have moved it: what this process takes for now. */
const clockOf = ({ config, runtime }: Services) => config.platform === 'sandbox' && { now: runtime.now() }

/** `/healthz`: the process answers. `/readyz`: it can do its work, and wants more of it. */
export function healthDoor(services: Services, readiness: Readiness) {
  const { platform, MERIDIAN_ROLE: role } = services.config
  return async (app: FastifyInstance) => {
    app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

    app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
      const { status, checks } = await lookAtReadiness(services, readiness)
      const isWithoutJobs = role === 'all' && readiness.hasQueue?.() === false
      return reply
        .code(status === 'ready' ? 200 : 503)
        .send({ status, platform, checks, ...(isWithoutJobs && { jobs: 'down' }), ...clockOf(services) })
    })
  }
}
