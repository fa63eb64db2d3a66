import { randomUUID } from 'node:crypto'
import { openPool, type PoolClient } from '@meridian/db'
import { ConfigError } from '../config.ts'
import type { Services } from '../services.ts'

const retryMs = 5_000

/** What a server says to a named statement that another client of its pooler prepared, or that none did (SQLSTATE). */
const isNameless = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  ['26000', '42P05', '08P01', '0A000'].includes(String(error.code))

/**
 * The same name on two connections while one of them is within a transaction: a pooler that lends sessions by the
 * transaction gives the second what the first had prepared, or has it ask another session for it.
 */
async function tryNames(first: PoolClient, second: PoolClient): Promise<void> {
  const named = { name: 'meridian_pooler_check', text: 'SELECT 1' }
  await first.query(named)
  await second.query('BEGIN')
  await second.query(named)
  await first.query(named)
  await second.query('ROLLBACK')
}

/** Whether what one connection sets for its session stays its own. */
async function keepsSessions(first: PoolClient, second: PoolClient): Promise<boolean> {
  const token = randomUUID()
  const read = async (client: PoolClient) =>
    (await client.query(`SELECT current_setting('meridian.pooler_check', true) AS token`)).rows[0]?.token
  await first.query(`SELECT set_config('meridian.pooler_check', $1, false)`, [token])
  await second.query('BEGIN')
  const seen = await read(second)
  const kept = await read(first)
  await second.query('ROLLBACK')
  return seen !== token && kept === token
}

async function look(databaseUrl: string): Promise<{ keepsSessions: boolean }> {
  const pool = openPool(databaseUrl, { applicationName: 'meridian-pooler-check', maxConnections: 2 })
  const clients: PoolClient[] = []
  const take = async () => {
    const client = await pool.connect()
    clients.push(client)
    return client
  }
  try {
    const [first, second] = [await take(), await take()]
    await tryNames(first, second)
    return { keepsSessions: await keepsSessions(first, second) }
  } finally {
    for (const client of clients) client.release(true)
    await pool.end()
  }
}

const wrongPooling = new ConfigError([
  'DATABASE_POOLING: must be transaction: what DATABASE_URL leads to keeps no named statements (and DATABASE_DIRECT_URL must name the server itself, for jobs and migrations)',
])

/**
 * Tries once whether the database keeps what `DATABASE_POOLING=session` needs, before anything else is asked of it. While
 * it cannot be asked the start goes on, and it is tried again: `refuse` gets what shows then. A pooler that keeps named
 * statements but no sessions will do; then no limit is set for a session, because another one would get it.
 * @throws ConfigError that says what to set
 */
export async function checkPooler(services: Services, refuse: (error: unknown) => void): Promise<void> {
  const { config, log } = services
  if (config.DATABASE_POOLING === 'transaction') return
  const hold = async () => {
    try {
      const found = await look(config.database.url)
      if (found.keepsSessions) return
      services.leaveSessionsAlone()
      log.info('the database is behind a pooler that keeps named statements and no sessions')
    } catch (error) {
      if (isNameless(error)) throw wrongPooling
      setTimeout(() => hold().catch(refuse), retryMs).unref()
    }
  }
  await hold()
}
