import { setTimeout as delay } from 'node:timers/promises'
import { pendingMigrations } from '@meridian/db'
import type { FastifyInstance } from 'fastify'
import { isQueueReady } from '../../jobs/read-queue.ts'
import type { Services } from '../../services.ts'

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

export type Readiness = {
  draining: boolean
  /** Where jobs run: whether their queue was found within 30 s. */
  hasQueue?: () => boolean
  /** What the log was logged last. */
  logged?: string
}

type Check = 'ok' | 'failed'
type Looked = { status: 'ready' | 'not_ready' | 'draining'; checks: Record<string, Check> }

const lookEveryMs = 1_000

/**
 * Whether the program can do its work, and wants more of it. A worker: its queue was found within 30 s; the others:
 * database, migrations and queue, at this moment. The log is logged each change, with the reasons, once.
 */
async function lookAtReadiness(services: Services, readiness: Readiness): Promise<Looked> {
  const found =
    services.config.MERIDIAN_ROLE === 'worker'
      ? { jobs: readiness.hasQueue?.() ? null : 'no job queue for 30 s' }
      : await checkDatabase(services)
  const reasons = Object.fromEntries(Object.entries(found).filter(([, reason]) => reason !== null))
  const isReady = Object.keys(reasons).length === 0
  if (!readiness.draining) logChange(services, { readiness, reasons })
  return {
    status: readiness.draining ? 'draining' : isReady ? 'ready' : 'not_ready',
    checks: Object.fromEntries(
      Object.entries(found).map(([name, reason]): [string, Check] => [
        name,
        reason === null ? 'ok' : 'failed',
      ]),
    ),
  }
}

/** Looks until the program is ready for the first time, so that the log tells when, or why not yet. */
export async function untilReady(services: Services, readiness: Readiness): Promise<void> {
  while (!readiness.draining && (await lookAtReadiness(services, readiness)).status !== 'ready')
    await delay(lookEveryMs, undefined, { ref: false })
}

async function checkDatabase({ database: { pool } }: Services): Promise<Record<string, string | null>> {
  return {
    database: await failureOf(async () => (await pool.query('SELECT 1')).rowCount === 1),
    migrations: await failureOf(async () => (await pendingMigrations(pool)).length === 0),
    jobs: await failureOf(() => isQueueReady(pool)),
  }
}

/** Why this does not hold; null when it does. */
async function failureOf(holds: () => Promise<boolean>): Promise<string | null> {
  try {
    return (await holds()) ? null : 'missing'
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error)
  }
}

type Change = { readiness: Readiness; reasons: Record<string, string | null> }

function logChange({ config, log }: Services, { readiness, reasons }: Change): void {
  // What a reason says may differ from one look to the next; what fails is what changes.
  const state = Object.keys(reasons).join()
  if (readiness.logged === state) return
  readiness.logged = state
  if (state === '') log.info({ role: config.MERIDIAN_ROLE, platform: config.platform }, 'ready')
  else log.warn({ reasons }, 'not ready')
}
