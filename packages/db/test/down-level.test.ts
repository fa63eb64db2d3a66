import { withConnection } from '@meridian/embedded-postgres/testing'
import { expect, test } from 'vitest'
import { findNarrowing } from '../development/find-narrowing.ts'
import { digestOf, migrationsUpTo, readPreviousRelease } from '../development/previous-release.ts'
import { type Demands, readDemands } from '../development/read-demands.ts'
import { type Migration, migrate, migrations } from '../src/index.ts'
import { emptyDatabase } from './empty-database.ts'
import { migration } from './make-migration.ts'

const release = readPreviousRelease()
const released = migrationsUpTo(release.lastMigration, migrations)

/** What the one list of migrations builds, and what the other makes of it. */
async function demandsOf(
  before: readonly Migration[],
  after: readonly Migration[],
): Promise<[Demands, Demands]> {
  await using database = await emptyDatabase()
  const { databaseUrl } = database
  await migrate(databaseUrl, { migrations: before })
  const was = await withConnection(databaseUrl, readDemands)
  await migrate(databaseUrl, { migrations: after })
  return [was, await withConnection(databaseUrl, readDemands)]
}

const base = `
  CREATE TYPE mood AS ENUM ('good', 'bad');
  CREATE TABLE parent (id int PRIMARY KEY, code text NOT NULL);
  CREATE UNIQUE INDEX parent_code_key ON parent (code);
  CREATE TABLE child (
    id int PRIMARY KEY, parent_id int NOT NULL, size int NOT NULL DEFAULT 1, note text, mood mood,
    CONSTRAINT size_known CHECK (size > 0));
  CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';
  CREATE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';`

async function narrowingBy(change: string): Promise<Record<string, string>> {
  const [first, second] = [migration('1_base', base), migration('2_change', change)]
  return Object.fromEntries(findNarrowing(...(await demandsOf([first], [first, second]))))
}

test('the migrations of the previous release are as it released them', () => {
  expect(released.at(-1)?.name).toBe(release.lastMigration)
  expect(digestOf(released)).toBe(release.digest)
})

test('the previous release runs on the schema of this one', async () => {
  const found = findNarrowing(...(await demandsOf(released, migrations)))
  const judged = Object.fromEntries(Object.keys(release.reviewed).map((name) => [name, expect.any(String)]))
  expect(Object.fromEntries(found)).toEqual(judged)
})

test('what an older program may stumble over is found', async () => {
  const change = `
    ALTER TABLE parent ADD COLUMN demanded int NOT NULL, ALTER COLUMN code TYPE varchar(9);
    DROP INDEX parent_code_key;
    ALTER TABLE child DROP COLUMN note, ADD COLUMN kind text NOT NULL DEFAULT 'a', ALTER COLUMN size DROP DEFAULT,
      ALTER COLUMN mood SET NOT NULL, ALTER COLUMN parent_id DROP NOT NULL,
      ADD FOREIGN KEY (parent_id) REFERENCES parent, DROP CONSTRAINT size_known,
      ADD CONSTRAINT size_known CHECK (size > 1), ADD CONSTRAINT either CHECK (size > 0 OR kind = 'a');
    CREATE UNIQUE INDEX child_kind_key ON child (kind);
    CREATE TRIGGER guarded BEFORE INSERT ON child EXECUTE FUNCTION guard();
    CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 2';
    ALTER TABLE child ALTER COLUMN mood TYPE text;
    DROP TYPE mood;
    CREATE TYPE mood AS ENUM ('good');`
  expect(await narrowingBy(change)).toEqual({
    'column parent.code': 'was text, is character varying(9)',
    'column parent.demanded': 'is new and has to be written: neither NULL nor a default',
    'column child.note': 'is gone',
    'column child.size': 'has no default any more',
    'column child.mood': 'was mood, is text',
    'column child.parent_id': 'may be NULL now',
    'index parent.parent_code_key': 'is gone, and ON CONFLICT may name it',
    'constraint child.size_known': 'was CHECK ((size > 0)), is CHECK ((size > 1))',
    'constraint child.either': "is new: CHECK (((size > 0) OR (kind = 'a'::text)))",
    'constraint child.child_parent_id_fkey': 'is new: FOREIGN KEY (parent_id) REFERENCES parent(id)',
    'index child.child_kind_key':
      'is new: CREATE UNIQUE INDEX child_kind_key ON public.child USING btree (kind)',
    'trigger child.guarded': expect.stringContaining('is new: CREATE TRIGGER guarded BEFORE INSERT'),
    'function one()': 'has another body',
    'enum mood': 'has lost bad',
  })
})

test.each([
  ['ALTER TABLE child ALTER COLUMN note SET NOT NULL', 'column child.note', 'may not be NULL any more'],
  ['DROP FUNCTION one()', 'function one()', 'is gone'],
  [
    "DROP FUNCTION one(); CREATE FUNCTION one() RETURNS text LANGUAGE sql AS 'SELECT 1'",
    'function one()',
    'answers another type',
  ],
  [
    'ALTER TABLE child DROP COLUMN size, ADD COLUMN size int NOT NULL GENERATED ALWAYS AS (id) STORED',
    'column child.size',
    'cannot be written any more',
  ],
  ['ALTER TABLE child DROP COLUMN mood; DROP TYPE mood', 'enum mood', 'is gone'],
])('so is, one at a time: %s', async (change, name, told) => {
  expect(await narrowingBy(change)).toMatchObject({ [name]: told })
})

test('what only expands is no matter', async () => {
  const change = `
    ALTER TYPE mood ADD VALUE 'mixed';
    CREATE TABLE another (id int PRIMARY KEY, child_id int NOT NULL REFERENCES child);
    ALTER TABLE child ADD COLUMN kind text NOT NULL DEFAULT 'a' CHECK (kind IN ('a', 'b')),
      ADD COLUMN twice int GENERATED ALWAYS AS (size * 2) STORED, ADD COLUMN later timestamptz,
      ADD COLUMN code text UNIQUE, ADD COLUMN other_id int, ADD UNIQUE (size, other_id),
      ADD FOREIGN KEY (parent_id, other_id) REFERENCES pairs, DROP CONSTRAINT size_known;
    CREATE INDEX child_by_note ON child (note);
    CREATE FUNCTION two() RETURNS int LANGUAGE sql AS 'SELECT 2';`
  expect(await narrowingBy(`CREATE TABLE pairs (a int, b int, PRIMARY KEY (a, b));${change}`)).toEqual({})
})
