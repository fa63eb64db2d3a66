import { setTimeout as delay } from 'node:timers/promises'
import { pendingMigrations } from '@meridian/db'
import type { FastifyInstance } from 'fastify'
import { isQueueReady } from '../../jobs/read-queue.ts'
import type { Services } from '../../services.ts'

/** At a sandbox, where somebody may have moved it: what this process takes for now. */
const clockOf = ({ config, runtime }: Services) => config.platform === 'sandbox' && { now: runtime.now() }

/** `/healthz`: the process answers. `/readyz`: it can do its work, and wants more of it. */
export function healthDoor(services: Services, readiness: Readiness) {
  const { platform } = services.config
  return async (app: FastifyInstance) => {
    app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

    app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
      const { status, checks } = await lookAtReadiness(services, readiness)
      return reply
        .code(status === 'ready' || status === 'degraded' ? 200 : 503)
        .send({ status, platform, checks, ...limitsOf(services, readiness), ...clockOf(services) })
    })
  }
}

export type Readiness = {
  draining: boolean
  /** Where jobs run: whether their queue was found within 30 s. */
  hasQueue?: () => boolean
  /** What the log was logged last. */
  logged?: string
  /** The tables of this release were found: they do not go away again. */
  isMigrated?: boolean
}

type Check = 'ok' | 'failed'
type Looked = { status: 'ready' | 'degraded' | 'not_ready' | 'draining'; checks: Record<string, Check> }
type Reasons = Record<string, string | null>

/** What cannot be done at this moment although requests are welcome. */
function limitsOf({ config, databaseState }: Services, { hasQueue }: Readiness) {
  const role = config.MERIDIAN_ROLE
  return {
    ...(role !== 'worker' && !databaseState.takesWrites() && { database: 'read_only' }),
    ...(role === 'all' && hasQueue?.() === false && { jobs: 'down' }),
  }
}

const lookEveryMs = 1_000

/**
 * Whether the program can do its work, and wants more of it. A worker: its queue was found within 30 s. The others: the
 * tables of this release were found once, and the database answered a read within 5 s; whoever can only read stays in,
 * because a balancer that took every replica out would take the reads as well. The log is logged each change, with the
 * reasons, once.
 */
async function lookAtReadiness(services: Services, readiness: Readiness): Promise<Looked> {
  const isWorker = services.config.MERIDIAN_ROLE === 'worker'
  const found = isWorker
    ? { jobs: readiness.hasQueue?.() ? null : 'no job queue for 30 s' }
    : await checkDatabase(services, readiness)
  const reasons = Object.fromEntries(Object.entries(found).filter(([, reason]) => reason !== null))
  const isReady = Object.keys(reasons).length === 0
  const isDegraded = !isWorker && !services.databaseState.takesWrites()
  if (!readiness.draining)
    logChange(services, { readiness, reasons: { ...reasons, ...(isDegraded && { writes: 'read only' }) } })
  const status = isReady ? (isDegraded ? 'degraded' : 'ready') : 'not_ready'
  return {
    status: readiness.draining ? 'draining' : status,
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

async function checkDatabase(services: Services, readiness: Readiness): Promise<Reasons> {
  const { databaseState, database } = services
  await databaseState.ask()
  const answers = databaseState.answers() ? null : (databaseState.failure() ?? 'no answer for 5 s')
  if (readiness.isMigrated) return { database: answers, migrations: null, jobs: null }
  if (answers !== null) return { database: answers, migrations: answers, jobs: answers }
  const { pool } = database
  const migrations = await failureOf(async () => (await pendingMigrations(pool)).length === 0)
  const jobs = await failureOf(() => isQueueReady(pool))
  // A look that began before another one found them, and failed since, takes nothing back.
  readiness.isMigrated ||= migrations === null && jobs === null
  return { database: null, migrations, jobs }
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
