import { join } from 'node:path'
import { askOne } from '@meridian/embedded-postgres/testing'
import { expect, test } from 'vitest'
import { type Migration, migrate, migrations, openPool, pendingMigrations } from '../src/index.ts'
import { readMigrations } from '../src/read-migrations.ts'
import { emptyDatabase } from './empty-database.ts'
import { migration } from './make-migration.ts'

const names = migrations.map((migration) => migration.name)

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

test('of several that migrate at once each migration is applied by one, in order', async () => {
  await using database = await emptyDatabase()
  const answers = await Promise.all([1, 2, 3, 4].map(() => migrate(database.databaseUrl)))
  expect(answers.flatMap(({ applied }) => applied).sort()).toEqual(names)
  for (const { applied } of answers) expect(applied).toEqual([...applied].sort())
  expect(
    await askOne(
      database.databaseUrl,
      `SELECT array_agg(migration_name::text ORDER BY started_at)
       FROM _prisma_migrations WHERE finished_at >= started_at AND applied_steps_count = 1`,
    ),
  ).toEqual(names)
})

test('whoever waits for another process too long is told so, and writes nothing', async () => {
  await using database = await emptyDatabase()
  const both = { migrations: [first, second] }
  const alsoMigrate = () =>
    expect(migrate(database.databaseUrl, { ...both, limitMs: 100 })).rejects.toThrow(
      'Another process is migrating this database and was not done within 0.1 s',
    )
  expect(await migrate(database.databaseUrl, { migrations: [first], alsoMigrate })).toEqual({
    applied: [first.name],
  })
  expect(await migrate(database.databaseUrl, both)).toEqual({ applied: [second.name] })
})

test('a migration that fails leaves nothing behind, is named, and is tried again by the next call', async () => {
  await using database = await emptyDatabase()
  const broken = migration(second.name, 'CREATE TABLE half (id int); SELECT 1 / 0;')
  const failure = migrate(database.databaseUrl, { migrations: [first, broken] })
  await expect(failure).rejects.toThrow('Migration 20300102000000_second failed: ERROR: division by zero')
  expect(await askOne(database.databaseUrl, `SELECT to_regclass('half')`)).toBeNull()
  expect(await askOne(database.databaseUrl, 'SELECT count(*)::int FROM _prisma_migrations')).toBe(1)
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
  await expect(migrate(database.databaseUrl, { migrations: [edited, second] })).rejects.toThrow(
    'Applied migrations were edited since: 20300101000000_first',
  )
  expect(await pending(database.databaseUrl, [second])).toEqual([second.name])
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
  expect(await askOne(database.databaseUrl, `SELECT to_regclass('first')`)).toBeNull()
})

test('a database with a migration that we lack, before our last one, is refused', async () => {
  await using database = await emptyDatabase()
  await migrate(database.databaseUrl, { migrations: [first, second] })
  await expect(migrate(database.databaseUrl, { migrations: [second] })).rejects.toThrow(
    'The database has migrations unknown here, before 20300102000000_second: 20300101000000_first',
  )
})

test('what else has to be migrated comes after ours and never runs twice at once', async () => {
  await using database = await emptyDatabase()
  const journal: string[] = []
  const alsoMigrate = async () => {
    journal.push(`begin ${await askOne(database.databaseUrl, `SELECT to_regclass('first')`)}`)
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
