import { askOne } from '@meridian/embedded-postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../src/index.ts'
import { openPoolerDouble } from '../src/testing/index.ts'
import { type EmptyDatabase, emptyDatabase } from './empty-database.ts'
import { migration } from './make-migration.ts'

const only = migration('20300101000000_only', 'CREATE TABLE only_one (id int);')
const existing = `SELECT to_regclass('only_one')`

// One for all that is refused, which leaves nothing in it.
let untouched: EmptyDatabase
beforeAll(async () => {
  untouched = await emptyDatabase()
})
afterAll(() => untouched[Symbol.asyncDispose]())

test.each((['last', 'first'] as const).flatMap((next) => [1, 2, 3, 4, 9].map((size) => ({ next, size }))))(
  'migrations are refused behind a pooler in transaction mode: %o',
  async (kind) => {
    const { databaseUrl } = untouched
    await using pooler = await openPoolerDouble({ ...kind, databaseUrl, mode: 'transaction' })
    await expect(migrate(pooler.databaseUrl, { migrations: [only] })).rejects.toThrow(
      /^The database address leads through a pooler in transaction mode, .* set DATABASE_DIRECT_URL [^\n]*$/,
    )
    expect(await askOne(databaseUrl, existing)).toBeNull()
  },
)

test('behind a pooler that keeps sessions together they are applied', async () => {
  await using database = await emptyDatabase()
  await using pooler = await openPoolerDouble({ databaseUrl: database.databaseUrl, size: 5, mode: 'session' })
  expect(await migrate(pooler.databaseUrl, { migrations: [only] })).toEqual({ applied: [only.name] })
})
