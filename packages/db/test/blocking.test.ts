import { withConnection } from '@meridian/embedded-postgres/testing'
import { expect, test } from 'vitest'
import { findBlocking } from '../development/find-blocking.ts'
import { readHistory } from '../development/migration-history.ts'
import { parseMigration } from '../development/parse-migration.ts'
import { smallTables } from '../development/small-tables.ts'
import { migrations } from '../src/index.ts'
import { splitStatements } from '../src/split-statements.ts'
import { cloneDatabase } from '../src/testing/index.ts'

/** The last migration from before this rule. Those up to it are applied where there are many rows, and stay. */
const lastFree = '20261126100000_never_lose_a_job'

test('no migration keeps anybody from paying for longer than its locks are waited for', () => {
  const found = migrations.flatMap(({ name, sql }, index) =>
    name <= lastFree
      ? []
      : findBlocking(sql, readHistory(migrations.slice(0, index).map((before) => before.sql))).map(
          (line) => `${name}, ${line}`,
        ),
  )
  expect(found).toEqual([])
  expect(migrations.map(({ name }) => name)).toContain(lastFree)
})

test('every table that is called small is a table', async () => {
  await using database = await cloneDatabase()
  const { rows } = await withConnection(database.databaseUrl, (client) =>
    client.query<{ name: string }>(`SELECT relname AS name FROM pg_class WHERE relkind = 'r'`),
  )
  const tables = rows.map(({ name }) => name)
  expect([...smallTables].filter((name) => !tables.includes(name))).toEqual([])
  expect(['orders', 'grants', 'notifications', 'users'].filter((name) => smallTables.has(name))).toEqual([])
})

const before = readHistory([
  `CREATE INDEX orders_by_note ON orders (note);
   CREATE INDEX plans_by_name ON plans (name);
   ALTER TABLE orders ADD CONSTRAINT known CHECK (note IS NOT NULL) NOT VALID;
   ALTER TABLE orders ADD CONSTRAINT later CHECK (size IS NOT NULL) NOT VALID;
   ALTER TABLE orders ADD CONSTRAINT other CHECK (paid_at IS NOT NULL OR late) NOT VALID;`,
  'ALTER TABLE orders VALIDATE CONSTRAINT known; ALTER TABLE orders VALIDATE CONSTRAINT other;',
])

test.each([
  ['CREATE INDEX a ON orders (note)', 'nobody can write to orders while the index is built'],
  ['CREATE UNIQUE INDEX a ON public.orders (note)', 'nobody can write to orders while the index is built'],
  ['CREATE INDEX CONCURRENTLY a ON orders (note)', 'CONCURRENTLY cannot run in a transaction'],
  ['DROP INDEX orders_by_note', 'waits until nobody uses the table'],
  ['DROP INDEX CONCURRENTLY orders_by_note', 'CONCURRENTLY cannot run in a transaction'],
  ['REINDEX TABLE orders', 'locks the table for as long as it works'],
  ['ALTER TABLE orders ADD CONSTRAINT a CHECK (size > 0)', 'NOT VALID'],
  ['ALTER TABLE orders ADD FOREIGN KEY (user_id) REFERENCES users', 'NOT VALID'],
  ['ALTER TABLE orders ADD UNIQUE (note)', 'builds its index'],
  ['ALTER TABLE orders ADD PRIMARY KEY (id)', 'builds its index'],
  ['ALTER TABLE orders ADD EXCLUDE USING gist (note WITH =)', 'exclusion constraint'],
  ['ALTER TABLE orders ALTER size SET NOT NULL', 'CHECK (size IS NOT NULL) NOT VALID'],
  ['ALTER TABLE orders ALTER paid_at SET NOT NULL', 'CHECK (paid_at IS NOT NULL) NOT VALID'],
  ['ALTER TABLE orders ADD CONSTRAINT a NOT NULL size', 'CHECK (size IS NOT NULL) NOT VALID'],
  ['ALTER TABLE orders ALTER size TYPE bigint', 'ALTER COLUMN TYPE rewrites orders'],
  ['ALTER TABLE orders ADD a uuid DEFAULT gen_random_uuid()', 'rewrites the table'],
  ['ALTER TABLE orders ADD a bigserial', 'rewrites the table'],
  ['ALTER TABLE orders ADD a int GENERATED ALWAYS AS IDENTITY', 'rewrites the table'],
  ['ALTER TABLE orders ADD a int GENERATED ALWAYS AS (size * 2) STORED', 'rewrites the table'],
  ['ALTER TABLE orders ADD a int CHECK (a > 0)', 'NOT VALID'],
  ['ALTER TABLE orders ADD a text UNIQUE', 'builds its index'],
  ['ALTER TABLE orders ADD a int DEFAULT 1 REFERENCES plans', 'NOT VALID'],
  ['ALTER TABLE orders SET TABLESPACE elsewhere', 'SetTableSpace on orders is not known to be brief'],
  [
    'ALTER TABLE orders ADD a int; ALTER TABLE grants VALIDATE CONSTRAINT b',
    'reads all of grants while this migration holds locks',
  ],
  ['CREATE TABLE a (id int REFERENCES users); ALTER TABLE users VALIDATE CONSTRAINT b', 'reads all of users'],
  [
    'CREATE TRIGGER a BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION b()',
    'runs with every write to orders',
  ],
  ['UPDATE orders SET size = 1', 'what it changes in orders stays locked'],
  ['DELETE FROM orders WHERE late', 'what it changes in orders stays locked'],
  [
    'WITH gone AS (DELETE FROM orders RETURNING id) SELECT id FROM gone',
    'what it changes in orders stays locked',
  ],
  [
    'MERGE INTO orders USING plans ON true WHEN MATCHED THEN DELETE',
    'what it changes in orders stays locked',
  ],
  ['TRUNCATE plans, orders', 'what it changes in orders stays locked'],
  ['LOCK TABLE orders', 'what it changes in orders stays locked'],
  ['DO $$ BEGIN UPDATE "orders" SET size = 1; END $$', 'what it changes in orders stays locked'],
  ['DO $$ BEGIN DELETE FROM ONLY orders; END $$', 'what it changes in orders stays locked'],
  [`DO $$ BEGIN EXECUTE 'UP' || 'DATE orders SET size = 1'; END $$`, 'what it executes cannot be checked'],
  ['-- outside a transaction\nALTER TABLE orders ADD a int', 'outside of a transaction there is'],
  ['-- outside a transaction\nCREATE INDEX a ON orders (note)', 'outside of a transaction there is'],
  ['-- outside a transaction\nDO $$ BEGIN UPDATE orders SET size = 1; END $$', 'by batches, with COMMIT'],
])('what would stop payments is found: %s', (sql, told) => {
  const file = sql.startsWith('--') ? sql : `CREATE TYPE "尺寸" AS ENUM (); -- 重新\n${sql}`
  expect(findBlocking(file, before)).toEqual([expect.stringContaining(told)])
})

test.each([
  'CREATE TABLE a (id int PRIMARY KEY, b int CHECK (b > 0)); CREATE INDEX c ON a (b); UPDATE a SET b = 1; DROP INDEX c',
  'CREATE INDEX a ON plans (name); ALTER TABLE plans ALTER name SET NOT NULL; UPDATE plans SET name = code; DROP INDEX plans_by_name',
  'ALTER TABLE orders ADD a text, ADD b timestamptz NOT NULL DEFAULT business_now(), ADD c int DEFAULT 1, ADD d bigint REFERENCES users',
  'ALTER TABLE orders ADD CONSTRAINT a CHECK (size > 0) NOT VALID, ADD CONSTRAINT b FOREIGN KEY (user_id) REFERENCES users NOT VALID',
  'ALTER TABLE orders ADD CONSTRAINT a UNIQUE USING INDEX orders_note_key',
  'ALTER TABLE orders VALIDATE CONSTRAINT later; ALTER TABLE grants VALIDATE CONSTRAINT b',
  'ALTER TABLE orders ALTER note SET NOT NULL, DROP CONSTRAINT known, ALTER size SET DEFAULT 1, DROP COLUMN late',
  'CREATE FUNCTION a() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE orders SET size = 1; RETURN NEW; END $$',
  'DO $$ BEGIN PERFORM 1 FROM orders WHERE late FOR UPDATE; UPDATE plans SET name = code; END $$',
  'INSERT INTO orders (size) VALUES (1) ON CONFLICT DO NOTHING',
  '-- outside a transaction\nCREATE INDEX CONCURRENTLY a ON orders (note); DROP INDEX CONCURRENTLY orders_by_note',
  '-- outside a transaction\nDO $$ BEGIN LOOP UPDATE orders SET size = 1 WHERE size IS NULL; EXIT WHEN NOT FOUND; COMMIT; END LOOP; END $$',
])('what is brief is no matter: %s', (sql) => {
  expect(findBlocking(sql, before)).toEqual([])
})

test('what a machine cannot judge is no matter once somebody has judged it, and says where it stands', () => {
  const judged =
    'CREATE TYPE a AS ENUM ();\n-- reviewed: ten rows at most.\nDELETE FROM orders WHERE id < 11;'
  expect(findBlocking(judged, before)).toEqual([])
  expect(findBlocking(judged.replace('ten rows at most.', ''), before)).toEqual([
    expect.stringMatching(/^line 3, DELETE FROM orders WHERE id < 11: .* -- reviewed: …\)$/),
  ])
  const index = '-- reviewed: it will be quick.\nCREATE INDEX a ON orders (note);'
  expect(findBlocking(index, before)).toHaveLength(1)
})

test('statements are cut where PostgreSQL cuts them', () => {
  const traps = `SELECT 'a;''b', E'it\\';s', "c;""d" /* ; */ FROM e; -- ;
    DO $a$ BEGIN PERFORM $$;$$; END $a$;;
    SELECT f$1$, 1 FROM g /* at the end; */`
  for (const sql of [traps, ...migrations.map((one) => one.sql)])
    expect(splitStatements(sql).map(({ text }) => text.trim())).toEqual(
      parseMigration(sql).map(({ text }) => text),
    )
})
