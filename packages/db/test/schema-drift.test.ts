import { readFileSync } from 'node:fs'
import { withConnection } from '@meridian/embedded-postgres/testing'
import { expect, test } from 'vitest'
import { type Catalogue, readCatalogue } from '../development/read-catalogue.ts'
import { diffSchemas, findDrift } from '../development/schema-drift.ts'
import { cloneDatabase } from '../src/testing/index.ts'
import { emptyDatabase } from './empty-database.ts'
import { handWritten } from './hand-written.ts'

const schema = readFileSync(new URL('../prisma/schema.prisma', import.meta.url), 'utf8')

const businessNow = `CREATE FUNCTION business_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT now()'`

async function catalogueOfSchema(text: string): Promise<Catalogue> {
  await using database = await emptyDatabase()
  const sql = await diffSchemas(database.databaseUrl, { from: null, to: text })
  return await withConnection(database.databaseUrl, async (client) => {
    // Columns of the schema take their default from it.
    await client.query(businessNow)
    await client.query(sql)
    return readCatalogue(client)
  })
}

let built: Promise<Catalogue> | undefined
/** Of the schema as it is, made once. */
function catalogueOfOurs(): Promise<Catalogue> {
  built ??= catalogueOfSchema(schema)
  return built
}

async function catalogueOfMigrations(): Promise<Catalogue> {
  await using database = await cloneDatabase()
  return await withConnection(database.databaseUrl, readCatalogue)
}

test('the migrations build what the Prisma schema says, and by hand only what is listed', async () => {
  const [fromSchema, migrated] = await Promise.all([catalogueOfOurs(), catalogueOfMigrations()])
  expect(findDrift({ migrated, fromSchema }, handWritten)).toEqual([])
  expect(fromSchema.size).toBeGreaterThan(200)
})

test('a column, a default or an index that the migrations lack is found', async () => {
  const changed = schema
    .replace('nickname   String?', 'nickname   String? @default("nobody")\n  surname String?')
    .replace('@@index([amountFen, id])', '@@index([amountFen])')
  const [fromSchema, migrated] = await Promise.all([catalogueOfSchema(changed), catalogueOfOurs()])
  expect(findDrift({ migrated, fromSchema }, []).sort()).toEqual([
    expect.stringContaining('column users.nickname: the Prisma schema says "text DEFAULT \'nobody\'::text"'),
    'column users.surname: in the Prisma schema, not in the migrations',
    'index orders_amount_fen_id_idx: in the migrations, neither in the Prisma schema nor listed as hand-written',
    'index orders_amount_fen_idx: in the Prisma schema, not in the migrations',
  ])
})

test('a hand-written object that disappeared, or appeared without being listed, is found', async () => {
  const migrated = new Map([['trigger a.new', 'CREATE TRIGGER …']])
  expect(findDrift({ migrated, fromSchema: new Map() }, ['constraint a.gone'])).toEqual([
    'trigger a.new: in the migrations, neither in the Prisma schema nor listed as hand-written',
    'constraint a.gone: listed as hand-written, not in the migrations',
  ])
})

test('a schema that has not changed needs no migration', async () => {
  await using database = await emptyDatabase()
  expect(await diffSchemas(database.databaseUrl, { from: schema, to: schema })).toContain('empty migration')
})
