import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { TLSSocket } from 'node:tls'
import { openPool, type Pool } from '@meridian/db'
import { tryPooler } from '../../startup/check-pooler.ts'
import { plainTextSettings } from '../../startup/warn-of-database.ts'
import { type Check, endsIn, fault, type Seen, warning, well } from '../finding.ts'

type Identity = { system: string; database: string; readsOnly: boolean; lagSeconds: number | null }

/** Which cluster and database an address leads to, whatever host it names. */
const identitySql = `
  SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system, current_database() AS database,
    pg_is_in_recovery() AS "readsOnly",
    CASE WHEN NOT pg_is_in_recovery() OR pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN NULL
      ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 END AS "lagSeconds"`

async function identify(pool: Pool): Promise<Identity> {
  const { rows } = await pool.query<Identity>(identitySql)
  if (!rows[0]) throw new Error('it answers with nothing')
  return rows[0]
}

async function identifyAt(databaseUrl: string): Promise<Identity> {
  const pool = openPool(databaseUrl, { applicationName: 'meridian-doctor', maxConnections: 1 })
  try {
    return await identify(pool)
  } finally {
    await pool.end()
  }
}

const isSame = (one: Identity, other: Identity) =>
  one.system === other.system && one.database === other.database

const pooling: Check = {
  about: 'pooler',
  needsDatabase: true,
  look: async ({ services: { database }, config }) => {
    const limits = warning(
      'the limits of statements cannot be set for a session there, and the user of DATABASE_URL has none',
      "ALTER ROLE meridian_app SET statement_timeout = '60s', and the two others of docs/operations.md",
    )
    const limited = async () => {
      const { rows } = await database.pool.query<{ limit: string }>(
        `SELECT setting AS limit FROM pg_settings WHERE name = 'statement_timeout'`,
      )
      return rows[0]?.limit === '0' ? [limits] : []
    }
    if (config.DATABASE_POOLING === 'transaction')
      return [well('DATABASE_POOLING=transaction: nothing is kept in a session'), ...(await limited())]
    const kept = await tryPooler(config.database.url)
    if (kept === 'session') return [well('DATABASE_URL leads to sessions of its own')]
    if (kept === 'names') return [well('a pooler that keeps named statements and no sessions'), limits]
    return [
      fault(
        'DATABASE_URL leads through a pooler that keeps no named statements',
        'DATABASE_POOLING=transaction, and DATABASE_DIRECT_URL with the address of the server itself',
      ),
    ]
  },
}

/** When the certificate ends that the server showed; nothing where the connection has none. */
async function serverCertificate(pool: Pool, now: Date): Promise<Seen[]> {
  const client = await pool.connect()
  try {
    const connection: unknown = Reflect.get(client, 'connection')
    if (typeof connection !== 'object' || connection === null) return []
    const socket: unknown = Reflect.get(connection, 'stream')
    if (!(socket instanceof TLSSocket)) return []
    const mend = 'give the database server a new certificate, then reload it'
    return [
      endsIn('the certificate of the database server', new Date(socket.getPeerCertificate().valid_to), {
        now,
        mend,
      }),
    ]
  } finally {
    client.release()
  }
}

/** A name without a dot is one of a network of containers, whose machine it does not leave. */
const isContainer = (url: string | undefined) => !!url && /^[\w-]+$/.test(new URL(url).hostname)

const encrypted: Check = {
  about: 'encryption to the database',
  needsDatabase: true,
  look: async ({ services: { database }, config, environment }) => {
    const plain = plainTextSettings(config).map((setting) => {
      const judge = isContainer(environment[setting]) ? warning : fault
      return judge(
        `${setting} is in plain text and leads off this machine`,
        `add ?sslmode=verify-full to ${setting}, and set DATABASE_CA_FILE for an authority of your own`,
      )
    })
    const certificate = await serverCertificate(database.pool, new Date())
    return plain.length > 0 ? plain : [well('encrypted, or on this machine'), ...certificate]
  },
}

const authorities: Check = {
  about: 'authorities of the database',
  look: async ({ config: { DATABASE_CA_FILE: file } }) => {
    if (!file) return [well('DATABASE_CA_FILE is not set: those that Node knows')]
    const found = readFileSync(file, 'utf8').match(
      /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
    )
    const mend = 'put the next authority into DATABASE_CA_FILE beside this one, then restart'
    if (!found) return [fault('DATABASE_CA_FILE holds no certificate', 'DATABASE_CA_FILE=a file of PEM')]
    return found.map((pem) => {
      const certificate = new X509Certificate(pem)
      const name = certificate.subject.split('\n').at(-1) ?? 'it'
      return endsIn(name, new Date(certificate.validTo), { now: new Date(), mend })
    })
  },
}

const direct: Check = {
  about: 'direct address',
  needsDatabase: true,
  ifUnseen: 'open the way to it, or correct DATABASE_DIRECT_URL: jobs and migrations need it',
  look: async ({ services: { database }, config }) => {
    if (!config.DATABASE_DIRECT_URL) return [well('not set: jobs and migrations use DATABASE_URL')]
    const there = await identifyAt(config.database.direct)
    const mend = 'DATABASE_DIRECT_URL=the leader behind DATABASE_URL, past the pooler'
    if (!isSame(there, await identify(database.pool)))
      return [fault('DATABASE_DIRECT_URL leads to another database than DATABASE_URL', mend)]
    if (there.readsOnly) return [fault('DATABASE_DIRECT_URL leads to a standby', mend)]
    return [
      (await tryPooler(config.database.direct)) === 'session'
        ? well('DATABASE_DIRECT_URL leads to the server of DATABASE_URL, with sessions of its own')
        : fault('DATABASE_DIRECT_URL leads through a pooler: jobs cannot listen there', mend),
    ]
  },
}

const mostLagSeconds = 10

const read: Check = {
  about: 'read address',
  needsDatabase: true,
  ifUnseen: 'start the standby, or correct DATABASE_READ_URL: reads go to the leader meanwhile',
  look: async ({ services: { database }, config }) => {
    if (!config.database.read) return [well('not set: lists and exports read from DATABASE_URL')]
    const there = await identifyAt(config.database.read)
    if (!isSame(there, await identify(database.pool)))
      return [
        fault(
          'DATABASE_READ_URL leads to another database than DATABASE_URL',
          'DATABASE_READ_URL=a standby of the database behind DATABASE_URL',
        ),
      ]
    if (!there.readsOnly)
      return [
        warning(
          'DATABASE_READ_URL leads to the leader: it relieves nobody',
          'DATABASE_READ_URL=a standby, or remove it',
        ),
      ]
    const { lagSeconds } = there
    return lagSeconds !== null && lagSeconds > mostLagSeconds
      ? [
          warning(
            `the standby is ${Math.round(lagSeconds)} s behind: reads go to the leader meanwhile`,
            'look at pg_stat_replication on the leader, and at disk and network of the standby',
          ),
        ]
      : [well('DATABASE_READ_URL leads to a standby that keeps up')]
  },
}

export const databaseAddressChecks: readonly Check[] = [pooling, encrypted, authorities, direct, read]
