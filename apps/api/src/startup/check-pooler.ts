import { findKept, type Kept, openPool, type PoolClient } from '@meridian/db'
import { ConfigError } from '../config.ts'
import type { Services } from '../services.ts'

const retryMs = 5_000

/** Tries on two connections what an address leads to: a server, or a pooler, and what of a session that one keeps. */
export async function tryPooler(databaseUrl: string): Promise<Kept> {
  const pool = openPool(databaseUrl, { applicationName: 'meridian-pooler-check', maxConnections: 2 })
  const clients: PoolClient[] = []
  const take = async () => {
    const client = await pool.connect()
    clients.push(client)
    return client
  }
  try {
    return await findKept(await take(), await take())
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
    const kept = await tryPooler(config.database.url).catch(() => null)
    if (kept === null) return void setTimeout(() => hold().catch(refuse), retryMs).unref()
    if (kept === 'nothing') throw wrongPooling
    if (kept === 'session') return
    services.leaveSessionsAlone()
    log.info('the database is behind a pooler that keeps named statements and no sessions')
  }
  await hold()
}
