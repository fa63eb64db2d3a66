import { askOne } from '@meridian/embedded-postgres/testing'
import { expect, test } from 'vitest'
import { migrate } from '../src/index.ts'
import { emptyDatabase } from './empty-database.ts'
import { migration } from './make-migration.ts'

test.each([
  [
    'a statement that names what is not there',
    "CREATE TABLE half (id int);\n-- 重新 🙂\nSELECT 'a;b', nothing\n  FROM half;",
    'ERROR: column "nothing" does not exist\nLine 3, column 15: SELECT \'a;b\', nothing',
  ],
  [
    'a row that breaks a rule',
    'CREATE TABLE half (id int PRIMARY KEY);\nINSERT INTO half VALUES (1), (1);',
    'ERROR: duplicate key value violates unique constraint "half_pkey"\nDetail: Key (id)=(1) already exists.',
  ],
  [
    'a block',
    "CREATE TABLE half (id int);\nDO $$ BEGIN\n  RAISE 'no; stop' USING HINT = 'go back';\nEND $$;",
    'ERROR: no; stop\nHint: go back\nContext: PL/pgSQL function inline_code_block line 2 at RAISE',
  ],
  [
    'a rule that is looked at when the transaction ends',
    'CREATE TABLE half (id int PRIMARY KEY, of int REFERENCES half DEFERRABLE INITIALLY DEFERRED);\nINSERT INTO half VALUES (1, 2);',
    'ERROR: insert or update on table "half" violates foreign key constraint "half_of_fkey"',
  ],
])('a failure says what the server says and where: %s', async (_, sql, told) => {
  await using database = await emptyDatabase()
  const failure = migrate(database.databaseUrl, { migrations: [migration('20300101000000_half', sql)] })
  await expect(failure).rejects.toThrow(`Migration 20300101000000_half failed: ${told}`)
  expect(await askOne(database.databaseUrl, `SELECT to_regclass('half')`)).toBeNull()
  expect(await askOne(database.databaseUrl, `SELECT to_regclass('_prisma_migrations')`)).toBeNull()
})

test('a file may hold several statements, blocks and functions with semicolons', async () => {
  await using database = await emptyDatabase()
  const sql = `CREATE TABLE several (note text); -- one; two
    CREATE FUNCTION put(value text) RETURNS void LANGUAGE plpgsql AS $body$
    BEGIN INSERT INTO several VALUES (value || ';'); END; $body$;
    DO $$ BEGIN PERFORM put('first;'); PERFORM put('$1'); END $$;
    /* a comment; */ INSERT INTO several VALUES ('third;')`
  await migrate(database.databaseUrl, { migrations: [migration('20300101000000_several', sql)] })
  expect(await askOne(database.databaseUrl, `SELECT string_agg(note, ' ') FROM several`)).toBe(
    'first;; $1; third;',
  )
})

test('a migration that ends its own transaction is named', async () => {
  await using database = await emptyDatabase()
  const ending = migration('20300101000000_ending', 'CREATE TABLE half (id int); COMMIT;')
  await expect(migrate(database.databaseUrl, { migrations: [ending] })).rejects.toThrow(
    'Migration 20300101000000_ending failed: it ends the transaction that it runs in',
  )
  const finished = 'SELECT count(*)::int FROM _prisma_migrations WHERE finished_at IS NOT NULL'
  expect(await askOne(database.databaseUrl, finished)).toBe(0)
})
