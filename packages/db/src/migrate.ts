import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg, { type PoolClient } from 'pg'
import { migrations as shipped } from './generated/migrations.ts'
import { createTableIfMissing, findMissing, type Migration, recordMigration } from './migration-record.ts'
import { openPool } from './open-pool.ts'

/** The migrations this program was built with. */
export const migrations: readonly Migration[] = shipped

export type MigrateOptions = {
  /** Defaults to the migrations this program was built with. */
  migrations?: readonly Migration[]
  /** Read the migrations from this folder instead. */
  migrationsFolder?: string
  /** Further schemas to bring up to date (the job library's), under the same lock, after ours. */
  alsoMigrate?: (databaseUrl: string) => Promise<void>
  /** How long to wait for each migration of another process, in milliseconds; 60,000 by default. */
  lockWaitMs?: number
}

// Any number that nothing else in the database locks.
const migrationLock = 4_919_202_611

/**
 * Applies what is missing, in order, and tells the names. Several at once are safe: each migration is applied by one
 * of them. Each runs as one transaction together with its row in `_prisma_migrations`, so one that failed left nothing
 * behind and is simply tried again by the next call.
 * @throws Error when a migration fails, when an applied one was edited, when the histories have parted, or when
 * another process has been at one migration for longer than `lockWaitMs`
 */
export async function migrate(
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const { migrationsFolder, alsoMigrate, lockWaitMs = 60_000 } = options
  const list = migrationsFolder ? await readMigrations(migrationsFolder) : (options.migrations ?? migrations)
  return withConnection(databaseUrl, async (client) => {
    const locked = <T>(work: () => Promise<T>) => inLockedTransaction(client, { lockWaitMs, work })
    const applied: string[] = []
    for (;;) {
      const name = await locked(() => applyNext(client, list))
      if (name === null) break
      applied.push(name)
    }
    if (alsoMigrate) await locked(() => alsoMigrate(databaseUrl))
    return { applied }
  })
}

/** Reads a folder laid out as `<timestamp>_<name>/migration.sql`. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(names.sort().map((name) => readMigration(folder, name)))
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8')
  return { name, checksum: createHash('sha256').update(sql).digest('hex'), sql }
}

// One connection for everything. It is closed at the end, which also rolls back what a failure left open.
async function withConnection<T>(databaseUrl: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const pool = openPool(databaseUrl, {
    applicationName: 'meridian-migrate',
    maxConnections: 1,
    statementTimeoutMs: 0,
  })
  try {
    const client = await pool.connect()
    return await work(client).finally(() => client.release(true))
  } finally {
    await pool.end()
  }
}

// The lock belongs to the transaction that does the work and is taken anew by each: a session's lock would stay behind
// in a server connection of PgBouncer, which keeps a session together for one transaction only.
async function inLockedTransaction<T>(
  client: PoolClient,
  { lockWaitMs, work }: { lockWaitMs: number; work: () => Promise<T> },
): Promise<T> {
  await client.query(
    `BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = ${lockWaitMs}`,
  )
  await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]).catch((error: unknown) => {
    throw lockFailure(error, lockWaitMs)
  })
  await client.query('SET LOCAL lock_timeout TO DEFAULT')
  const answer = await work()
  await client.query('COMMIT')
  return answer
}

// 55P03: lock_not_available.
function lockFailure(error: unknown, lockWaitMs: number): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === '55P03')) return error
  return new Error(
    `Another process is migrating this database and was not done within ${lockWaitMs / 1000} s: migrate again later`,
    { cause: error },
  )
}

async function applyNext(client: PoolClient, list: readonly Migration[]): Promise<string | null> {
  await createTableIfMissing(client)
  const [next] = await findMissing(client, list)
  if (next === undefined) return null
  await recordMigration(client, { migration: next, work: () => runScript(client, next) })
  return next.name
}

// The whole file is one simple query, so that PostgreSQL alone decides where a statement ends.
async function runScript(client: PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql)
    if (client.getTransactionStatus() !== 'T') throw new Error('it ends the transaction that it runs in')
    // What is deferred would fail with the COMMIT, which names no migration.
    await client.query('SET CONSTRAINTS ALL IMMEDIATE')
  } catch (error) {
    throw migrationFailure(migration, error)
  }
}

/** What to tell about a migration that failed: its name, what the server says, and where, as far as the server knows. */
function migrationFailure({ name, sql }: Migration, error: unknown): Error {
  return new Error(`Migration ${name} failed: ${reasonOf(error, sql)}`, { cause: error })
}

function reasonOf(error: unknown, sql: string): string {
  if (error instanceof pg.DatabaseError) return describe(error, sql)
  return error instanceof Error ? error.message : String(error)
}

function describe(
  { severity, message, position, detail, hint, where }: pg.DatabaseError,
  sql: string,
): string {
  const lines = [
    detail && `Detail: ${detail}`,
    hint && `Hint: ${hint}`,
    position && placeOf(sql, Number(position)),
    where && `Context: ${where}`,
  ]
  return [`${severity ?? 'ERROR'}: ${message}`, ...lines.filter(Boolean)].join('\n')
}

// The server counts characters, not UTF-16 units, from 1.
function placeOf(sql: string, position: number): string {
  const before = Array.from(sql)
    .slice(0, position - 1)
    .join('')
    .split('\n')
  const text = sql.split('\n')[before.length - 1] ?? ''
  return `Line ${before.length}, column ${Array.from(before.at(-1) ?? '').length + 1}: ${text.trim()}`
}
