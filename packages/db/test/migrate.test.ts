import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Migration, migrate, migrations, openPool, pendingMigrations } from '../src/index.ts'
import { readMigrations } from '../src/migrate.ts'
import { askOne } from './ask-one.ts'
import { emptyDatabase } from './empty-database.ts'

const names = migrations.map((migration) => migration.name)

function migration(name: string, sql: string): Migration {
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

const first = migration('20300101000000_first', 'CREATE TABLE first (id int);')
const second = migration(
  '20300102000000_second',
  `CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;`,
)

async function pending(databaseUrl: string, known?: readonly Migration[]): Promise<string[]> {
  const pool = openPool(databaseUrl)
  return pendingMigrations(pool, known).finally(() => pool.end())
}

test('an empty database gets every migration, and migrating again changes nothing', async () => {
  await using database = await emptyDatabase()
  expect(await pending(database.databaseUrl)).toEqual(names)
  expect(await migrate(database.databaseUrl)).toEqual({ applied: names })
  expect(await pending(database.databaseUrl)).toEqual([])
  expect(await migrate(database.databaseUrl)).toEqual({ applied: [] })
})

test('of several that migrate at once one does the work and the others find it done', async () => {
  await using database = await emptyDatabase()
  const answers = await Promise.all([1, 2, 3].map(() => migrate(database.databaseUrl)))
  expect(answers.map(({ applied }) => applied.length).sort()).toEqual([0, 0, names.length])
  expect(await askOne(database.databaseUrl, 'SELECT count(*)::int FROM _prisma_migrations')).toBe(
    names.length,
  )
})

test('a migration that fails leaves nothing behind, is named, and is tried again by the next call', async () => {
  await using database = await emptyDatabase()
  const broken = migration(second.name, 'CREATE TABLE half (id int); SELECT 1 / 0;')
  const failure = migrate(database.databaseUrl, { migrations: [first, broken] })
  await expect(failure).rejects.toThrow('Migration 20300102000000_second failed: ERROR: division by zero')
  expect(await askOne(database.databaseUrl, `SELECT to_regclass('half')`)).toBeNull()
  expect(await pending(database.databaseUrl, [first, second])).toEqual([second.name])

  expect(await migrate(database.databaseUrl, { migrations: [first, second] })).toEqual({
    applied: [second.name],
  })
  expect(await askOne(database.databaseUrl, 'SELECT one()')).toBe(1)
})

test('an applied migration that was edited since is refused, and counts as pending', async () => {
  await using database = await emptyDatabase()
  await migrate(database.databaseUrl, { migrations: [first] })
  const edited = migration(first.name, 'CREATE TABLE first (id bigint);')
  await expect(migrate(database.databaseUrl, { migrations: [edited] })).rejects.toThrow(
    'Applied migrations were edited since: 20300101000000_first',
  )
  expect(await pending(database.databaseUrl, [edited])).toEqual([first.name])
})

test('a database that a newer release has migrated is left as it is', async () => {
  await using database = await emptyDatabase()
  await migrate(database.databaseUrl, { migrations: [first, second] })
  expect(await migrate(database.databaseUrl, { migrations: [first] })).toEqual({ applied: [] })
  expect(await pending(database.databaseUrl, [first])).toEqual([])
})

test('a database whose history has parted from ours is refused', async () => {
  await using database = await emptyDatabase()
  await migrate(database.databaseUrl, { migrations: [second] })
  await expect(migrate(database.databaseUrl, { migrations: [first] })).rejects.toThrow(
    'The database has migrations unknown here (20300102000000_second) and lacks 20300101000000_first',
  )
})

test('what else has to be migrated comes after ours and never runs twice at once', async () => {
  await using database = await emptyDatabase()
  const journal: string[] = []
  const alsoMigrate = async (databaseUrl: string) => {
    journal.push(`begin ${await askOne(databaseUrl, `SELECT to_regclass('first')`)}`)
    journal.push('end')
  }
  await Promise.all([1, 2].map(() => migrate(database.databaseUrl, { migrations: [first], alsoMigrate })))
  expect(journal).toEqual(['begin first', 'end', 'begin first', 'end'])
})

test('a wrong address is refused without telling it', async () => {
  await expect(migrate('mysql://root:secret@host/db')).rejects.toThrow(
    'The database address must be a postgresql:// URL',
  )
})

test('the list built into programs is the folder of migrations', async () => {
  expect(await readMigrations(join(import.meta.dirname, '../prisma/migrations'))).toEqual(migrations)
})
