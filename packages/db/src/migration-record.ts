import type { Pool, PoolClient } from 'pg'
import { migrations as shipped } from './generated/migrations.ts'

/** One folder of prisma/migrations; the checksum is the SHA-256 of its SQL. */
export type Migration = { name: string; checksum: string; sql: string }

// As Prisma makes it: earlier releases migrated by Prisma's engine, and `prisma migrate status` reads it.
const createTable = `
  CREATE TABLE _prisma_migrations (
    id varchar(36) PRIMARY KEY,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`

/** To be called under the lock of migrations. */
export async function createTableIfMissing(client: PoolClient): Promise<void> {
  if (!(await tableExists(client))) await client.query(createTable)
}

/** The names of the migrations that the database lacks or has in another wording; empty when it is up to date. */
export async function pendingMigrations(
  pool: Pool,
  known: readonly Migration[] = shipped,
): Promise<string[]> {
  const applied = (await tableExists(pool)) ? await readApplied(pool) : new Map<string, string>()
  return known.filter(({ name, checksum }) => applied.get(name) !== checksum).map(({ name }) => name)
}

/**
 * The migrations of the list that the database lacks. One that an earlier release noted as failed left nothing behind
 * (the file ran as one transaction then too): it is noted as rolled back and is among the missing.
 * @throws Error when an applied one was edited or the histories have parted; then nothing is written
 */
export async function findMissing(client: PoolClient, list: readonly Migration[]): Promise<Migration[]> {
  const applied = await readApplied(client)
  const missing = list.filter(({ name }) => !applied.has(name))
  refuseEdited(applied, list)
  refuseParting(applied, { list, missing })
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = clock_timestamp() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  )
  return missing
}

/** Runs a migration's work between the two halves of its row. */
export async function recordMigration(
  client: PoolClient,
  { migration, work }: { migration: Migration; work: () => Promise<void> },
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at)
     VALUES (gen_random_uuid(), $1, $2, clock_timestamp()) RETURNING id`,
    [migration.checksum, migration.name],
  )
  await work()
  await client.query(
    'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
    [rows[0]?.id],
  )
}

function refuseEdited(applied: ReadonlyMap<string, string>, list: readonly Migration[]): void {
  const edited = list.filter(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum)
  if (edited.length === 0) return
  throw new Error(`Applied migrations were edited since: ${edited.map(({ name }) => name).join(', ')}`)
}

// A database ahead of this program is fine: it was migrated by a newer release, and migrations only expand.
function refuseParting(
  applied: ReadonlyMap<string, string>,
  { list, missing }: { list: readonly Migration[]; missing: readonly Migration[] },
): void {
  const known = new Set(list.map(({ name }) => name))
  const unknown = [...applied.keys()].filter((name) => !known.has(name))
  if (unknown.length > 0 && missing.length > 0)
    throw new Error(
      `The database has migrations unknown here (${unknown.join(', ')}) and lacks ${missing.map(({ name }) => name).join(', ')}`,
    )
  const last = list.at(-1)?.name ?? ''
  const earlier = unknown.filter((name) => name < last)
  if (earlier.length > 0)
    throw new Error(`The database has migrations unknown here, before ${last}: ${earlier.join(', ')}`)
}

async function tableExists(db: Pool | PoolClient): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  )
  return rows[0]?.found ?? false
}

async function readApplied(db: Pool | PoolClient): Promise<Map<string, string>> {
  const { rows } = await db.query<{ migration_name: string; checksum: string }>(
    `SELECT migration_name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY started_at`,
  )
  return new Map(rows.map((row) => [row.migration_name, row.checksum]))
}
