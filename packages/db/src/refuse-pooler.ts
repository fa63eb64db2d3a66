import type { PoolClient } from 'pg'
import { openPool } from './open-pool.ts'

const refusal =
  'The database address leads through a pooler in transaction mode, where migrations cannot run: set DATABASE_DIRECT_URL to the address of PostgreSQL itself'

const rounds = 3
const answerMs = 10_000

/**
 * Two connections tell: one of their own has the same server process in every transaction, and nobody else has it. A
 * pooler in transaction mode gives each transaction any idle connection: while the second client holds one, the first
 * gets another; and the second gets, now or in a later round, the one that the first had.
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
    const clients = [clientOf(first), clientOf(second)] as const
    for (let round = 1; round <= rounds; round++) if (await areMixed(...clients)) throw new Error(refusal)
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

async function areMixed(first: PoolClient, second: PoolClient): Promise<boolean> {
  const own = await serverOf(first)
  const other = await serverOf(second)
  if (other === own) return true
  await second.query('BEGIN')
  const held = await serverOf(second)
  // Where the pooler has a single connection the first would now wait for it.
  if (held !== other) return true
  const again = await serverOf(first)
  await second.query('ROLLBACK')
  return again !== own
}

async function serverOf(client: PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}
