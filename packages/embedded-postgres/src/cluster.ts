import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Account } from './find-account.ts'

/** Everything it takes to make, start and reach one PostgreSQL server of ours. */
export type Cluster = {
  /** The folder with `bin`, `lib` and `share`. */
  binaries: string
  /** PostgreSQL's data directory. */
  folder: string
  /** Holds the password of the only user; owned by the account, mode 0600. */
  passwordFile: string
  log: string
  account: Account
  /** Lines for PostgreSQL's configuration beyond ours. */
  settings: Readonly<Record<string, string>>
  /** How long the server may take until it is ready; a minute when absent. */
  startTimeoutMs?: number
}

/** The server's only user, its superuser. */
export const clusterUser = 'meridian'

// What a server says that is starting up or shutting down.
const cannotConnectNow = '57P03'

/** The postgresql:// address of one database of the cluster. */
export function clusterAddress({ passwordFile }: Cluster, place: { port: number; database: string }): string {
  const password = readFileSync(passwordFile, 'utf8').trim()
  return `postgresql://${clusterUser}:${password}@127.0.0.1:${place.port}/${place.database}`
}

/** Lends a connection of its own, for statements that no pool may run (they name databases). */
export async function withConnection<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 60_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Whether a server is there and takes part, be it to refuse us. */
export async function answers(databaseUrl: string): Promise<boolean> {
  return withConnection(databaseUrl, async () => true).catch(
    (error: unknown) => error instanceof pg.DatabaseError && error.code !== cannotConnectNow,
  )
}
