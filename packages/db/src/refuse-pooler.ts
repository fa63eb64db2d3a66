import type { PoolClient } from 'pg'
import { findKept } from './find-kept.ts'
import { openPool } from './open-pool.ts'

const refusal =
  'The database address leads through a pooler in transaction mode, where migrations cannot run: set DATABASE_DIRECT_URL to the address of PostgreSQL itself'

const answerMs = 10_000

/**
 * Migrations need a session: they hold a lock and say how long to wait for others.
 * @throws Error when the address leads through such a pooler, or nobody answers there
 */
export async function refusePooler(databaseUrl: string): Promise<void> {
  const pool = openPool(databaseUrl, {
    applicationName: 'meridian-migrate',
    maxConnections: 2,
    statementTimeoutMs: answerMs,
    connectTimeoutMs: answerMs,
  })
  const [first, second] = await Promise.allSettled([pool.connect(), pool.connect()])
  try {
    if ((await findKept(clientOf(first), clientOf(second))) !== 'session') throw new Error(refusal)
  } catch (error) {
    throw refusesParameters(error) ? new Error(refusal, { cause: error }) : error
  } finally {
    for (const opened of [first, second]) if (opened.status === 'fulfilled') opened.value.release(true)
    await pool.end()
  }
}

function clientOf(opened: PromiseSettledResult<PoolClient>): PoolClient {
  if (opened.status === 'rejected') throw opened.reason
  return opened.value
}

// PgBouncer's words for what PostgreSQL knows, such as `options`, and releases before 1.20 do not.
const refusesParameters = (error: unknown) =>
  error instanceof Error && error.message.startsWith('unsupported startup parameter')
