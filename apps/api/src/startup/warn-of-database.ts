import { mayRewriteLedger } from '@meridian/db'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|)$/

/** Addresses in plain text that lead off this machine, by the setting that names them. */
export function plainTextSettings(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_READ_URL'>,
): string[] {
  const given = {
    DATABASE_URL: config.DATABASE_URL,
    DATABASE_DIRECT_URL: config.DATABASE_DIRECT_URL,
    DATABASE_READ_URL: config.DATABASE_READ_URL,
  }
  return Object.entries(given).flatMap(([name, url]) => {
    if (!url) return []
    const { hostname, searchParams } = new URL(url)
    const host = searchParams.get('host') ?? hostname
    const isLocal = loopback.test(host) || host.startsWith('/')
    return isLocal || (searchParams.get('sslmode') ?? 'disable') !== 'disable' ? [] : [name]
  })
}

/** Whether a commit is acknowledged before any standby has it although there is one, or the server is another machine. */
export async function isAsynchronous({ database: { pool } }: Services): Promise<boolean> {
  const { rows } = await pool.query<{ alone: boolean }>(`
    SELECT current_setting('synchronous_standby_names') = '' AND NOT pg_is_in_recovery()
      AND (EXISTS (SELECT FROM pg_stat_replication) OR coalesce(inet_server_addr() <> inet_client_addr(), false)) AS alone`)
  return rows[0]?.alone ?? false
}

/**
 * Says in the log what is dangerous about the database as it is, once; a database that is away is told by the readiness.
 * Who may rewrite the ledger; an address in plain text; no synchronous standby, so that a fail-over loses what was
 * acknowledged last.
 */
export async function warnOfDatabase(services: Services): Promise<void> {
  const { database, log } = services
  for (const setting of plainTextSettings(services.config))
    log.warn(
      { setting },
      'the database is reached in plain text: set sslmode=verify-full and DATABASE_CA_FILE',
    )
  if (await mayRewriteLedger(database.pool).catch(() => false))
    log.warn('the database user could rewrite ledger and audit log: use a member of meridian_runtime')
  if (await isAsynchronous(services).catch(() => false))
    log.warn(
      'no synchronous standby is configured: a fail-over of the database can lose acknowledged payments',
    )
}
