import { pendingMigrations } from '@meridian/db'
import type { FastifyInstance } from 'fastify'
import { isQueueReady } from '../../jobs/read-queue.ts'
import type { Services } from '../../services.ts'

export type Readiness = { draining: boolean }

type Check = 'ok' | 'failed'

async function check(holds: () => Promise<boolean>): Promise<Check> {
  try {
    return (await holds()) ? 'ok' : 'failed'
  } catch {
    return 'failed'
  }
}

/** `/healthz`: the process answers. `/readyz`: it can do its work, and wants more of it. */
export function healthDoor(services: Services, readiness: Readiness) {
  const { pool } = services.database
  return async (app: FastifyInstance) => {
    app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

    app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
      const database = await check(async () => (await pool.query('SELECT 1')).rowCount === 1)
      const migrations = await check(async () => (await pendingMigrations(pool)).length === 0)
      const jobs = await check(() => isQueueReady(pool))
      const ready = !readiness.draining && [database, migrations, jobs].every((state) => state === 'ok')
      const status = readiness.draining ? 'draining' : ready ? 'ready' : 'not_ready'
      return reply
        .code(ready ? 200 : 503)
        .send({ status, platform: services.config.platform, checks: { database, migrations, jobs } })
    })
  }
}
