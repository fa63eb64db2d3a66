import { askOne, withConnection } from '@meridian/embedded-postgres/testing'
import type { MigrationList } from '@prisma/schema-engine-wasm'
import { expect, test } from 'vitest'
import { noFilter, withSchemaEngine } from '../development/schema-engine.ts'
import { type Migration, migrate, migrations, openPool, pendingMigrations } from '../src/index.ts'
import { cloneDatabase } from '../src/testing/index.ts'
import { emptyDatabase } from './empty-database.ts'
import { engineRows } from './engine-rows.ts'
import { migration } from './make-migration.ts'

const first = migration('20300101000000_first', 'CREATE TABLE first (id int);')
const second = migration('20300102000000_second', 'CREATE TABLE second (id int);')
const corrected = migration('20300103000000_third', 'CREATE TABLE third (id int);')

const asEngineList = (list: readonly Migration[]): MigrationList => ({
  baseDir: 'migrations',
  lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
  shadowDbInitScript: '',
  migrationDirectories: list.map(({ name, sql }) => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
  })),
})

/** What `prisma migrate status` tells. */
const statusByEngine = (databaseUrl: string, list: readonly Migration[]) =>
  withSchemaEngine(databaseUrl, (engine) =>
    engine.diagnoseMigrationHistory({
      migrationsList: asEngineList(list),
      optInToShadowDatabase: false,
      filters: noFilter,
    }),
  )

const nothingAmiss = { history: null, failedMigrationNames: [], editedMigrationNames: [] }

const table = `
  SELECT jsonb_agg(jsonb_build_array(attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid),
    (SELECT array_agg(pg_get_constraintdef(oid) ORDER BY conname) FROM pg_constraint
      WHERE conrelid = attrelid AND conkey = ARRAY[attnum])) ORDER BY attnum)
  FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attrelid = '_prisma_migrations'::regclass AND attnum > 0`

const row = `
  SELECT to_jsonb(m) || jsonb_build_object('id', m.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    'started_at', m.started_at <= now(), 'finished_at', m.finished_at >= m.started_at)
  FROM _prisma_migrations m`

test('a database that the engine has migrated carries on where it was', async () => {
  await using database = await emptyDatabase()
  const { databaseUrl } = database
  await withConnection(databaseUrl, (client) => client.query(engineRows))
  const pool = openPool(databaseUrl)
  const list = [first, second, corrected]
  expect(await pendingMigrations(pool, list).finally(() => pool.end())).toEqual([corrected.name])
  const before = await statusByEngine(databaseUrl, list)
  expect(before.failedMigrationNames).toEqual([corrected.name])

  expect(await migrate(databaseUrl, { migrations: list })).toEqual({ applied: [corrected.name] })
  expect(await statusByEngine(databaseUrl, list)).toMatchObject(nothingAmiss)
  const rolledBack =
    'SELECT array_agg(migration_name::text ORDER BY started_at) FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL'
  expect(await askOne(databaseUrl, rolledBack)).toEqual([second.name, corrected.name])
  expect(await migrate(databaseUrl, { migrations: list })).toEqual({ applied: [] })
})

test('the engine finds nothing amiss in what was applied without it', async () => {
  await using database = await cloneDatabase()
  expect(await statusByEngine(database.databaseUrl, migrations)).toMatchObject(nothingAmiss)
})

test('table and row are those that the engine writes', async () => {
  await using ours = await emptyDatabase()
  await using engines = await emptyDatabase()
  await migrate(ours.databaseUrl, { migrations: [first] })
  await withSchemaEngine(engines.databaseUrl, (engine) =>
    engine.applyMigrations({ migrationsList: asEngineList([first]), filters: noFilter }),
  )
  for (const query of [table, row])
    expect(await askOne(ours.databaseUrl, query)).toEqual(await askOne(engines.databaseUrl, query))
})

test('what the engine calls edited or missing is refused here too', async () => {
  await using database = await emptyDatabase()
  const { databaseUrl } = database
  await migrate(databaseUrl, { migrations: [first, second] })
  const edited = migration(first.name, 'CREATE TABLE first (id bigint);')
  expect(await statusByEngine(databaseUrl, [edited, second])).toMatchObject({
    editedMigrationNames: [first.name],
  })
  await expect(migrate(databaseUrl, { migrations: [edited, second] })).rejects.toThrow('edited since')
  expect(await statusByEngine(databaseUrl, [first, corrected])).toMatchObject({
    history: {
      diagnostic: 'historiesDiverge',
      unappliedMigrationNames: [corrected.name],
      unpersistedMigrationNames: [second.name],
    },
  })
  await expect(migrate(databaseUrl, { migrations: [first, corrected] })).rejects.toThrow('and lacks')
})
