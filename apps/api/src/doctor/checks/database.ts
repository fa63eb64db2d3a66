import { mayRewriteLedger, pendingMigrations } from '@meridian/db'
import { checkPooler } from '../../startup/check-pooler.ts'
import { isAsynchronous, plainTextSettings } from '../../startup/warn-of-database.ts'
import { type Check, fault, warning, well } from '../finding.ts'

const leastVersion = 15

const reachable: Check = {
  about: 'database',
  look: async ({ services: { database } }) => {
    const { rows } = await database.pool.query<{ version: number; readsOnly: boolean }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS version, pg_is_in_recovery() AS "readsOnly"`,
    )
    const { version = 0, readsOnly } = rows[0] ?? {}
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
  look: async ({ services: { database } }) => {
    const pending = await pendingMigrations(database.pool)
    return [
      pending.length > 0
        ? fault(`${pending.length} migrations are missing`, 'npm run db:migrate')
        : well('every migration is applied'),
    ]
  },
}

const rights: Check = {
  about: 'rights in the database',
  look: async ({ services: { database } }) => [
    (await mayRewriteLedger(database.pool))
      ? fault(
          'the programs could rewrite ledger and audit log',
          'give DATABASE_URL a user made by CREATE ROLE meridian_app LOGIN PASSWORD … IN ROLE meridian_runtime',
        )
      : well('the programs can only add to ledger and audit log'),
  ],
}

const pooling: Check = {
  about: 'pooler',
  look: async ({ services }) => {
    await checkPooler(services, () => undefined)
    return [well(`DATABASE_POOLING=${services.config.DATABASE_POOLING} fits`)]
  },
}

const encrypted: Check = {
  about: 'encryption to the database',
  look: async ({ services }) => {
    const plain = plainTextSettings(services.config)
    return plain.length > 0
      ? plain.map((setting) =>
          fault(
            `${setting} is in plain text`,
            `add ?sslmode=verify-full to ${setting}, and set DATABASE_CA_FILE`,
          ),
        )
      : [well('encrypted, or on this machine')]
  },
}

const room: Check = {
  about: 'connections',
  look: async ({ services: { database, config } }) => {
    const { rows } = await database.pool.query<{ most: number; used: number }>(`
      SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
        (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`)
    const { most = 0, used = 0 } = rows[0] ?? {}
    const size = config.DATABASE_POOL_SIZE + 1
    return [
      most - used < size
        ? fault(
            `${used} of ${most} connections are taken: one more process does not fit`,
            'raise max_connections, or lower DATABASE_POOL_SIZE',
          )
        : well(`${used} of ${most} connections are taken, a process opens ${size}`),
    ]
  },
}

const standby: Check = {
  about: 'standby',
  look: async ({ services }) => [
    (await isAsynchronous(services))
      ? warning(
          'no synchronous standby: a fail-over can lose what was acknowledged last',
          'set synchronous_standby_names (deploy/patroni: synchronous_mode: true)',
        )
      : well('what is acknowledged is on a second machine, or there is one machine only'),
  ],
}

/** Everything about the database; without the first there are no others. */
export const databaseChecks: readonly [Check, ...Check[]] = [
  reachable,
  migrated,
  rights,
  pooling,
  encrypted,
  room,
  standby,
]
