import { askOne, withConnection } from '@meridian/embedded-postgres/testing'
import { expect, test } from 'vitest'
import { migrate } from '../src/index.ts'
import { emptyDatabase } from './empty-database.ts'
import { migration } from './make-migration.ts'
import { beginReport, keepPaying } from './report.ts'

const tables = `
  CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY, paid timestamptz);
  CREATE TABLE grants (id bigint GENERATED ALWAYS AS IDENTITY, paid timestamptz);
  INSERT INTO orders (paid) VALUES (now());`

async function shop() {
  const database = await emptyDatabase()
  await withConnection(database.databaseUrl, (client) => client.query(tables))
  return database
}

const noted = migration('20300101000000_noted', 'ALTER TABLE orders ADD COLUMN note text;')
const columns = (table: string) =>
  `SELECT count(*)::int FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attname = 'note'`

// What waits for a migration goes on after 1.5 s; the rest is for a machine that has other things to do.
const mostMs = 2_500

test('beside a long report a payment waits 2 s at most, and the migration is applied when the report has ended', async () => {
  await using database = await shop()
  const { databaseUrl } = database
  await using report = await beginReport(databaseUrl, ['orders'])
  const told: string[] = []
  const paying = keepPaying(databaseUrl, 'orders')
  const migrating = migrate(databaseUrl, { migrations: [noted], onProgress: (line) => told.push(line) })
  await expect.poll(() => told.length).toBeGreaterThanOrEqual(2)
  expect(await askOne(databaseUrl, columns('orders'))).toBe(0)
  await report.end()
  expect(await migrating).toEqual({ applied: [noted.name] })
  const { count, longestMs } = await paying.stop()
  expect(longestMs).toBeGreaterThan(1_000)
  expect(longestMs).toBeLessThan(mostMs)
  expect(count).toBeGreaterThan(100)
  expect(await askOne(databaseUrl, columns('orders'))).toBe(1)
  for (const line of told)
    expect(line).toMatch(
      /^Migration 20300101000000_noted gave way after 1.5 s to pid \d+ \(the report, idle after SELECT since [\d.]+ s, in a transaction since [\d.]+ s\), and tries again in [\d.]+ s$/,
    )
})

test('a migration that waits for several locks gives way 1.5 s after it began to, with all that it holds', async () => {
  await using database = await shop()
  const { databaseUrl } = database
  await using report = await beginReport(databaseUrl, ['orders'])
  // Each wait is shorter than 1.5 s, all together are longer; `grants` is locked by the first statement.
  const several = migration(
    '20300102000000_several',
    `ALTER TABLE grants ADD COLUMN note text;
     DO $$ BEGIN
       SET LOCAL lock_timeout = '300ms';
       FOR tries IN 1..40 LOOP
         BEGIN LOCK TABLE orders; RETURN; EXCEPTION WHEN lock_not_available THEN NULL; END;
       END LOOP;
     END $$;`,
  )
  const told: string[] = []
  const paying = keepPaying(databaseUrl, 'grants')
  const migrating = migrate(databaseUrl, { migrations: [several], onProgress: (line) => told.push(line) })
  await expect.poll(() => told.length).toBe(1)
  await report.end()
  expect(await migrating).toEqual({ applied: [several.name] })
  expect((await paying.stop()).longestMs).toBeLessThan(mostMs)
  expect(told[0]).toContain('gave way after 1.5 s to pid')
  expect(await askOne(databaseUrl, columns('grants'))).toBe(1)
})

test('when the time is over it says so, with whom it waited for, and has changed nothing', async () => {
  await using database = await shop()
  await using _report = await beginReport(database.databaseUrl, ['orders'])
  // The first try gives way after 1.5 s, and no second one begins sooner than 1.5 s later.
  await expect(migrate(database.databaseUrl, { migrations: [noted], limitMs: 3_000 })).rejects.toThrow(
    /^Migration 20300101000000_noted gave way after 1.5 s to pid \d+ \(the report, .*\), and was not done within 3 s$/,
  )
  expect(await askOne(database.databaseUrl, columns('orders'))).toBe(0)
})

test('a migration that works for too long is ended too', async () => {
  await using database = await shop()
  const slow = migration('20300103000000_slow', 'SELECT pg_sleep(60); SELECT pg_sleep(60);')
  await expect(migrate(database.databaseUrl, { migrations: [slow], limitMs: 500 })).rejects.toThrow(
    /^Migration 20300103000000_slow was not done within 0.5 s$/,
  )
})

test('what else is migrated gives way and is tried again like a migration', async () => {
  await using database = await shop()
  await using report = await beginReport(database.databaseUrl, ['grants'])
  const told: string[] = []
  const migrating = migrate(database.databaseUrl, {
    migrations: [noted],
    alsoMigrate: (pool) => pool.query('ALTER TABLE grants ADD COLUMN note text'),
    onProgress: (line) => told.push(line),
  })
  await expect.poll(() => told.length).toBe(1)
  await report.end()
  expect(await migrating).toEqual({ applied: [noted.name] })
  expect(await askOne(database.databaseUrl, columns('grants'))).toBe(1)
})
