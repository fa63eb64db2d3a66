import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HistoryDiagnostic, MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'
import type { Pool } from 'pg'
import { migrations as shipped } from './generated/migrations.ts'
import { openPool } from './open-pool.ts'
import { noFilter, withSchemaEngine } from './schema-engine.ts'

/** One folder of prisma/migrations; the checksum is the SHA-256 of its SQL. */
export type Migration = { name: string; checksum: string; sql: string }

/** The migrations this program was built with. */
export const migrations: readonly Migration[] = shipped

export type MigrateOptions = {
  /** Defaults to the migrations this program was built with. */
  migrations?: readonly Migration[]
  /** Read the migrations from this folder instead. */
  migrationsFolder?: string
  /** Further schemas to bring up to date (the job library's), under the same lock, after ours. */
  alsoMigrate?: (databaseUrl: string) => Promise<void>
}

// Any number that nothing else in the database locks.
const migrationLock = 4_919_202_611

/**
 * Applies what is missing, in order, and tells the names. Several at once are safe: one works, the others wait
 * and find nothing to do. Each migration runs as one transaction, so one that failed left nothing behind and is
 * simply tried again by the next call.
 * @throws Error when a migration fails, when an applied one was edited, or when the histories have parted
 */
export async function migrate(
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const list = options.migrationsFolder
    ? await readMigrations(options.migrationsFolder)
    : (options.migrations ?? migrations)
  return withMigrationLock(databaseUrl, async () => {
    const applied = await withSchemaEngine(databaseUrl, (engine) => applyMissing(engine, asEngineList(list)))
    await options.alsoMigrate?.(databaseUrl)
    return { applied }
  })
}

/** The names of the migrations that the database lacks or has in another wording; empty when it is up to date. */
export async function pendingMigrations(
  pool: Pool,
  known: readonly Migration[] = migrations,
): Promise<string[]> {
  const applied = await readAppliedChecksums(pool)
  return known.filter(({ name, checksum }) => applied.get(name) !== checksum).map(({ name }) => name)
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

// A transaction of its own holds the lock, because behind PgBouncer only a transaction keeps its session.
async function withMigrationLock<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const pool = openPool(databaseUrl, {
    applicationName: 'meridian-migrate',
    maxConnections: 1,
    statementTimeoutMs: 0,
  })
  try {
    const holder = await pool.connect()
    try {
      await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0')
      await holder.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
      return await work()
    } finally {
      holder.release(true)
    }
  } finally {
    await pool.end()
  }
}

async function applyMissing(engine: SchemaEngine, migrationsList: MigrationList): Promise<string[]> {
  const found = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters: noFilter,
  })
  // One that failed left nothing behind, so it may be corrected.
  const failed = found.failedMigrationNames
  refuseParting(
    found.editedMigrationNames.filter((name) => !failed.includes(name)),
    found.history,
  )
  for (const migrationName of failed) await engine.markMigrationRolledBack({ migrationName })
  const { appliedMigrationNames } = await engine
    .applyMigrations({ migrationsList, filters: noFilter })
    .catch((error: unknown) => rethrowBriefly(error))
  return appliedMigrationNames
}

// The engine answers with its own stack in the message; the first lines and the migration's name are what helps.
function rethrowBriefly(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const name = /migration_name="([^"]+)"/.exec(message)?.[1]
  const reason = message
    .split(/\n\s+0: /)[0]
    ?.replace('external connector error\nError querying the database: ', '')
  throw new Error(name ? `Migration ${name} failed: ${reason}` : `Migrating failed: ${reason}`, {
    cause: error,
  })
}

function refuseParting(edited: string[], history: HistoryDiagnostic | null): void {
  if (edited.length > 0) throw new Error(`Applied migrations were edited since: ${edited.join(', ')}`)
  // A database ahead of this program is fine: it was migrated by a newer release, and migrations only expand.
  if (history?.diagnostic !== 'historiesDiverge') return
  const [missing, unknown] = [history.unappliedMigrationNames, history.unpersistedMigrationNames]
  throw new Error(
    `The database has migrations unknown here (${unknown.join(', ')}) and lacks ${missing.join(', ')}`,
  )
}

function asEngineList(list: readonly Migration[]): MigrationList {
  return {
    baseDir: 'migrations',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: list.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  }
}

async function readAppliedChecksums(pool: Pool): Promise<Map<string, string>> {
  const tableExists = await pool.query<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  )
  if (!tableExists.rows[0]?.found) return new Map()
  const { rows } = await pool.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  )
  return new Map(rows.map((row) => [row.migration_name, row.checksum]))
}
