import { afterAll, beforeAll, expect, test } from 'vitest'
import { findKept, type Kept, openPool, type PoolClient } from '../src/index.ts'
import { openPoolerDouble } from '../src/testing/index.ts'
import { type EmptyDatabase, emptyDatabase } from './empty-database.ts'

// One for all these tests: they ask of sessions, and leave nothing in the database.
let database: EmptyDatabase
beforeAll(async () => {
  database = await emptyDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

async function keptAt(databaseUrl: string): Promise<Kept> {
  const pool = openPool(databaseUrl, { maxConnections: 2, statementTimeoutMs: 5_000 })
  const clients: PoolClient[] = [await pool.connect(), await pool.connect()]
  try {
    const [first, second] = clients
    if (!first || !second) throw new Error('two connections were opened')
    return await findKept(first, second)
  } finally {
    for (const client of clients) client.release(true)
    await pool.end()
  }
}

const servers = (['last', 'first'] as const).flatMap((next) =>
  [1, 2, 3, 4, 5, 9].map((size) => ({ next, size })),
)

test.each(servers)('a pooler keeps of a client’s sessions what it says: %o', async (kind) => {
  const found: Kept[] = []
  for (const keepsNames of [false, true]) {
    const { databaseUrl } = database
    await using pooler = await openPoolerDouble({ ...kind, databaseUrl, mode: 'transaction', keepsNames })
    // The second time what the first one prepared is still there.
    for (let time = 1; time <= 2; time++) found.push(await keptAt(pooler.databaseUrl))
  }
  expect(found).toEqual(['nothing', 'nothing', 'names', 'names'])
})

test('PostgreSQL keeps all of a session, and so does a pooler that lends it for as long as a client stays', async () => {
  await using pooler = await openPoolerDouble({
    databaseUrl: database.databaseUrl,
    size: 2,
    mode: 'session',
  })
  expect([await keptAt(database.databaseUrl), await keptAt(pooler.databaseUrl)]).toEqual([
    'session',
    'session',
  ])
})

test('an error that is not about names is told as it is', async () => {
  const pool = openPool(database.databaseUrl, { maxConnections: 2, onIdleError: () => undefined })
  const [first, second] = [await pool.connect(), await pool.connect()]
  const { rows } = await second.query('SELECT pg_backend_pid() AS pid')
  await first.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  await expect(findKept(first, second)).rejects.toThrow(/connection error|terminat/i)
  for (const client of [first, second]) client.release(true)
  await pool.end()
})
