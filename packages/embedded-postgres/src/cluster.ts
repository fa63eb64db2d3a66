import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'

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

/**
 * A copy of a cluster is entered by the password that the cluster had.
 * @throws EmbeddedPostgresError where nobody kept it
 */
export function refuseWithoutPassword({ passwordFile }: Cluster): void {
  if (!existsSync(passwordFile))
    throw new EmbeddedPostgresError(
      `The password file ${passwordFile} is missing: put back the one from when the backup was taken`,
    )
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

/** Whether a server answers there. */
export async function canConnect(databaseUrl: string): Promise<boolean> {
  return withConnection(databaseUrl, async () => true).catch(() => false)
}

/** The first value of the first row. */
export function askOne(databaseUrl: string, query: string): Promise<unknown> {
  return withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query<unknown[]>({ text: query, rowMode: 'array' })
    return rows[0]?.[0]
  })
}

/** Whom the server runs as; null is ourselves. PostgreSQL refuses to run as root. */
export type Account = { uid: number; gid: number } | null

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * Whom root starts the server as: the system's `postgres`, else a user made for it, else `nobody`.
 * @throws EmbeddedPostgresError when the system has no user but root
 */
export function findAccount(): Account {
  if (!isRoot()) return null
  const account = lookUp('postgres') ?? lookUp('meridian') ?? createUser('meridian') ?? lookUp('nobody')
  if (account === null) {
    throw new EmbeddedPostgresError(
      'PostgreSQL refuses to run as root and there is no other user: create one called postgres',
    )
  }
  return account
}

function createUser(name: string): Account {
  // Debian and Red Hat, then BusyBox.
  const ways = [
    ['useradd', '--system', '--no-create-home', '--shell', '/bin/false', '--user-group', name],
    ['adduser', '-S', '-D', '-H', name],
  ]
  for (const [program = '', ...parameters] of ways) {
    if (output(program, parameters) !== null) return lookUp(name)
  }
  return null
}

function lookUp(name: string): Account {
  const [uid, gid] = [output('id', ['-u', name]), output('id', ['-g', name])]
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null
}

function output(program: string, parameters: string[]): string | null {
  try {
    return execFileSync(program, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return null
  }
}

/** The embedded database could not be used; the message is one line for the person at the terminal. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}
