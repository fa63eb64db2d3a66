import { mayRewriteLedger, pendingMigrations } from '@meridian/db'
import { isAsynchronous } from '../../startup/warn-of-database.ts'
import { type Check, fault, warning, well } from '../finding.ts'

const leastVersion = 15

/** Without it most of the others have nothing to say. */
export const reachable: Check = {
  about: 'database',
  look: async ({ services: { database } }) => {
    const { rows } = await database.pool
      .query<{ version: number; readsOnly: boolean }>(
        `SELECT current_setting('server_version_num')::int / 10000 AS version, pg_is_in_recovery() AS "readsOnly"`,
      )
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message || error.name : 'failed'
        return { rows: [{ reason }] }
      })
    const [row] = rows
    if (!row || 'reason' in row)
      return [
        fault(
          `DATABASE_URL does not lead to a database: ${row?.reason ?? 'no answer'}`,
          'start PostgreSQL, open the way to it, or correct host, user and password in DATABASE_URL',
        ),
      ]
    const { version, readsOnly } = row
    return [
      version < leastVersion
        ? fault(`PostgreSQL ${version} is too old`, `use PostgreSQL ${leastVersion} or newer`)
        : well(`PostgreSQL ${version} answers`),
      ...(readsOnly
        ? [fault('DATABASE_URL leads to a standby', 'give DATABASE_URL the address of the leader')]
        : []),
    ]
  },
}

const migrated: Check = {
  about: 'migrations',
  needsDatabase: true,
  look: async ({ services: { database } }) => {
    const pending = await pendingMigrations(database.pool)
    const [first = ''] = pending
    return [
      pending.length > 0
        ? fault(`${pending.length} not applied, the first is ${first}`, 'npm run db:migrate')
        : well('every migration is applied'),
    ]
  },
}

const rights: Check = {
  about: 'rights in the database',
  needsDatabase: true,
  look: async ({ services: { database } }) => [
    (await mayRewriteLedger(database.pool))
      ? fault(
          'the user of DATABASE_URL could rewrite ledger and audit log',
          'give DATABASE_URL a user made by CREATE ROLE meridian_app LOGIN PASSWORD … IN ROLE meridian_runtime',
        )
      : well('the programs can only add to ledger and audit log'),
  ],
}

const room: Check = {
  about: 'connections',
  needsDatabase: true,
  look: async ({ services: { database }, config }) => {
    const { rows } = await database.pool.query<{ most: number; used: number }>(`
      SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
        (SELECT sum(numbackends)::int FROM pg_stat_database) AS used`)
    const { most = 0, used = 0 } = rows[0] ?? {}
    const size = config.DATABASE_POOL_SIZE + 1
    const says = `${used} of ${most} connections of the server are taken, a process opens up to ${size}`
    return [
      most - used < size
        ? fault(says, 'raise max_connections, lower DATABASE_POOL_SIZE, or put PgBouncer in front')
        : well(says),
    ]
  },
}

const standby: Check = {
  about: 'standby',
  needsDatabase: true,
  look: async ({ services }) => [
    (await isAsynchronous(services))
      ? warning(
          'no synchronous standby: a fail-over can lose what was acknowledged last',
          'set synchronous_standby_names (deploy/patroni: synchronous_mode: true)',
        )
      : well('a commit waits for a synchronous standby, or there is one machine only'),
  ],
}

export const databaseChecks: readonly Check[] = [migrated, rights, room, standby]
