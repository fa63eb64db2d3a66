import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askOne, withConnection } from '@meridian/embedded-postgres/testing'
import { expect, test } from 'vitest'
import { type Migration, migrate } from '../src/index.ts'
import { emptyDatabase } from './empty-database.ts'
import { migration } from './make-migration.ts'
import { beginReport, keepPaying } from './report.ts'

const tables = `
  CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY, paid timestamptz, note text DEFAULT 'a;b');
  CREATE TABLE reported (id int);
  CREATE INDEX "Old" ON orders (note);
  INSERT INTO orders (paid) VALUES (now()), (now());`

async function shop() {
  const database = await emptyDatabase()
  const query = (sql: string) => withConnection(database.databaseUrl, (client) => client.query(sql))
  await query(tables)
  return { ...database, query }
}

const outside = (sql: string) =>
  migration('20300101000000_outside', `-- outside a transaction\n-- Why; and how.\n${sql}`)
const both = outside(`
  CREATE UNIQUE INDEX CONCURRENTLY orders_id_key ON orders (id);
  CREATE INDEX CONCURRENTLY "orders by note" ON "orders" (note) WHERE note <> ';';
  DROP INDEX CONCURRENTLY "Old";`)

const recorded = `SELECT count(*)::int FROM _prisma_migrations
  WHERE finished_at >= started_at AND applied_steps_count = 1 AND rolled_back_at IS NULL`
const indexes = `SELECT coalesce(jsonb_object_agg(c.relname, i.indisvalid), '{}')
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = 'orders'::regclass`
const built = { orders_id_key: true, 'orders by note': true }

test('indexes are built and dropped beside those who write, and recorded when all are done', async () => {
  await using shopping = await shop()
  const { databaseUrl } = shopping
  await using report = await beginReport(databaseUrl, ['reported'])
  const told: string[] = []
  const paying = keepPaying(databaseUrl, 'orders')
  const migrating = migrate(databaseUrl, { migrations: [both], onProgress: (line) => told.push(line) })
  await expect.poll(() => told.length).toBe(1)
  expect(told[0]).toMatch(
    /^Migration 20300101000000_outside waits for pid \d+ \(the report, idle after SELECT since .* s\)$/,
  )
  expect(await askOne(databaseUrl, `SELECT to_regclass('_prisma_migrations')`)).toBeNull()
  const before = paying.count()
  await expect.poll(paying.count).toBeGreaterThan(before + 20)
  await report.end()
  expect(await migrating).toEqual({ applied: [both.name] })
  await paying.stop()
  expect(await askOne(databaseUrl, indexes)).toEqual(built)
  expect(await askOne(databaseUrl, recorded)).toBe(1)
  expect(await migrate(databaseUrl, { migrations: [both] })).toEqual({ applied: [] })
})

test('of several that migrate at once one builds them, and the others wait without being waited for', async () => {
  await using shopping = await shop()
  const { databaseUrl } = shopping
  // As a cautious administrator may have set it: every transaction keeps its snapshot.
  await shopping.query(`DO $$ BEGIN EXECUTE format(
    'ALTER DATABASE %I SET default_transaction_isolation = ''repeatable read''', current_database()); END $$`)
  await using report = await beginReport(databaseUrl, ['reported'])
  const last = migration('20300102000000_last', 'CREATE TABLE later (id int);')
  const told: string[] = []
  const run = () => migrate(databaseUrl, { migrations: [both, last], onProgress: (line) => told.push(line) })
  const running = [1, 2, 3].map(run)
  await expect.poll(() => told.length).toBe(1)
  await report.end()
  const answers = await Promise.all(running)
  expect(answers.flatMap(({ applied }) => applied).sort()).toEqual([both.name, last.name])
  expect(told.join('\n')).not.toContain('meridian-migrate')
  expect(await askOne(databaseUrl, indexes)).toEqual(built)
  expect(await askOne(databaseUrl, recorded)).toBe(2)
})

const sessions = `SELECT array_agg(pid) FROM pg_stat_activity
  WHERE application_name = 'meridian-migrate' AND datname = current_database()`

test('a try that was killed in the middle is carried on by the next', async () => {
  await using shopping = await shop()
  const { databaseUrl } = shopping
  const folder = mkdtempSync(join(tmpdir(), 'meridian-migrate-'))
  const file = join(folder, 'migrations.json')
  const uniqueThenReported = outside(`
    CREATE INDEX CONCURRENTLY reported_id ON reported (id);
    CREATE UNIQUE INDEX CONCURRENTLY orders_id_key ON orders (id);`)
  writeFileSync(file, JSON.stringify([uniqueThenReported]))
  // Its snapshot is older than the index on `orders`; that on `reported` is built before it begins.
  await migrate(databaseUrl, { migrations: [] })
  await shopping.query('CREATE INDEX CONCURRENTLY reported_id ON reported (id)')
  await using report = await beginReport(databaseUrl, ['reported'])
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'migrate-child.ts'), databaseUrl, file],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exit = once(child, 'exit')
  expect(String(await once(child.stdout, 'data'))).toContain('waits for pid')
  const pids = await askOne(databaseUrl, sessions)
  child.kill('SIGKILL')
  await exit
  rmSync(folder, { recursive: true })
  expect(await askOne(databaseUrl, recorded)).toBe(0)
  expect(await askOne(databaseUrl, indexes)).toMatchObject({ orders_id_key: false })

  const migrating = migrate(databaseUrl, { migrations: [uniqueThenReported] })
  // The server notices that the program is gone, although its statement waits.
  const left = `SELECT count(*)::int FROM pg_stat_activity WHERE pid = ANY ('{${pids}}')`
  await expect.poll(() => askOne(databaseUrl, left)).toBe(0)
  await report.end()
  expect(await migrating).toEqual({ applied: [uniqueThenReported.name] })
  expect(await askOne(databaseUrl, indexes)).toMatchObject({ orders_id_key: true })
  expect(await askOne(databaseUrl, recorded)).toBe(1)
})

test('an index that could not be built is not left behind, and what the server says is told with its place', async () => {
  await using shopping = await shop()
  const { databaseUrl } = shopping
  const unique = outside(
    `CREATE INDEX CONCURRENTLY orders_paid ON orders (paid);\nCREATE UNIQUE INDEX CONCURRENTLY orders_note ON orders (note);`,
  )
  await expect(migrate(databaseUrl, { migrations: [unique] })).rejects.toThrow(
    'Migration 20300101000000_outside failed: ERROR: could not create unique index "orders_note"\nDetail: Key (note)=(a;b) is duplicated.',
  )
  expect(await askOne(databaseUrl, indexes)).toEqual({ Old: true, orders_paid: true })
  expect(await askOne(databaseUrl, `SELECT to_regclass('_prisma_migrations')`)).toBeNull()
  await shopping.query('DELETE FROM orders WHERE id > 1')
  expect(await migrate(databaseUrl, { migrations: [unique] })).toEqual({ applied: [unique.name] })

  const wrong = outside(`CREATE INDEX CONCURRENTLY orders_other\n  ON orders (other);`)
  const next: Migration = { ...wrong, name: '20300102000000_wrong' }
  await expect(migrate(databaseUrl, { migrations: [unique, next] })).rejects.toThrow(
    'Migration 20300102000000_wrong failed: ERROR: column "other" does not exist',
  )
})

test('an index that is left behind invalid is built anew', async () => {
  await using shopping = await shop()
  const { databaseUrl } = shopping
  const invalid = 'CREATE UNIQUE INDEX CONCURRENTLY orders_note ON orders (note)'
  await expect(shopping.query(invalid)).rejects.toThrow('could not create unique index')
  await shopping.query('DELETE FROM orders WHERE id > 1')
  expect(await askOne(databaseUrl, indexes)).toEqual({ Old: true, orders_note: false })
  const told: string[] = []
  const onProgress = (line: string) => told.push(line)
  await migrate(databaseUrl, { migrations: [outside(`${invalid};`)], onProgress })
  expect(told).toEqual([])
  expect(await askOne(databaseUrl, indexes)).toEqual({ Old: true, orders_note: true })
})

test('an index of that name on another table, or without being unique, is no reason to go on', async () => {
  await using shopping = await shop()
  for (const sql of [
    'INDEX CONCURRENTLY "Old" ON reported (id)',
    'UNIQUE INDEX CONCURRENTLY "Old" ON orders (id)',
  ])
    await expect(migrate(shopping.databaseUrl, { migrations: [outside(`CREATE ${sql};`)] })).rejects.toThrow(
      'index "Old" is there already, on another table or not as unique',
    )
})

test('the time is over for an index too, which is not left behind', async () => {
  await using shopping = await shop()
  const { databaseUrl } = shopping
  const report = await beginReport(databaseUrl, ['reported'])
  const failure = migrate(databaseUrl, { migrations: [both], limitMs: 1_000 })
  await expect(failure).rejects.toThrow('Migration 20300101000000_outside was not done within 1 s')
  await report.end()
  expect(await migrate(databaseUrl, { migrations: [both] })).toEqual({ applied: [both.name] })
  expect(await askOne(databaseUrl, indexes)).toEqual(built)
})

test('a block may commit batch by batch', async () => {
  await using shopping = await shop()
  const batches = outside(`DO $$ BEGIN
    LOOP
      UPDATE orders SET note = 'x;y' WHERE id = (SELECT min(id) FROM orders WHERE note <> 'x;y');
      EXIT WHEN NOT FOUND;
      COMMIT;
    END LOOP;
  END $$;`)
  expect(await migrate(shopping.databaseUrl, { migrations: [batches] })).toEqual({ applied: [batches.name] })
  expect(await askOne(shopping.databaseUrl, 'SELECT array_agg(DISTINCT note) FROM orders')).toEqual(['x;y'])
})

test.each([
  'ALTER TABLE orders ADD COLUMN other text',
  'CREATE INDEX orders_paid ON orders (paid)',
  'CREATE INDEX CONCURRENTLY ON orders (paid)',
  'CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_paid ON orders (paid)',
  'DROP INDEX CONCURRENTLY "Old", orders_paid',
])('what could not run again is refused before anything has run: %s', async (statement) => {
  await using shopping = await shop()
  const refused = outside(`CREATE INDEX CONCURRENTLY orders_first ON orders (paid); ${statement};`)
  await expect(migrate(shopping.databaseUrl, { migrations: [refused] })).rejects.toThrow(
    `Migration 20300101000000_outside failed: outside of a transaction there is CREATE INDEX CONCURRENTLY name ON table, DROP INDEX CONCURRENTLY name or DO alone, not: ${statement}`,
  )
  expect(await askOne(shopping.databaseUrl, indexes)).toEqual({ Old: true })
})
