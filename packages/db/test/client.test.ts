import { askOne } from '@meridian/embedded-postgres/testing'
import { expect, test } from 'vitest'
import {
  databaseAddress,
  execute,
  isConflict,
  isStatementTimeout,
  openDatabase,
  Prisma,
  query,
  retryOnConflict,
  uniqueViolation,
} from '../src/index.ts'
import { cloneDatabase } from '../src/testing/index.ts'

const user = { id: '018f0000-0000-7000-8000-000000000001', openid: 'one' }

async function openClone() {
  const clone = await cloneDatabase()
  const database = openDatabase(clone.databaseUrl)
  return {
    ...clone,
    ...database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await clone.drop()
    },
  }
}

test('large whole numbers arrive whole and days arrive as written', async () => {
  await using database = await openClone()
  const { rows } = await database.pool.query(
    `SELECT 9007199254740993::bigint AS id, '{1,NULL}'::bigint[] AS ids, '{}'::bigint[] AS none, '2026-03-01'::date AS day`,
  )
  expect(rows).toEqual([{ id: 9007199254740993n, ids: [1n, null], none: [], day: '2026-03-01' }])
})

test('the name of a violated constraint is known, from Prisma and from plain statements', async () => {
  await using database = await openClone()
  const { prisma, pool } = database
  await prisma.user.create({ data: user })
  const again = { ...user, id: '018f0000-0000-7000-8000-000000000002' }
  const errors = await Promise.all([
    prisma.user.create({ data: again }).catch(uniqueViolation),
    prisma.$executeRaw`INSERT INTO users (id, openid) VALUES (${again.id}::uuid, 'one')`.catch(
      uniqueViolation,
    ),
    pool.query(`INSERT INTO users (id, openid) VALUES ($1, 'one')`, [again.id]).catch(uniqueViolation),
  ])
  expect(errors).toEqual(['users_openid_key', 'users_openid_key', 'users_openid_key'])
  expect(uniqueViolation(new Error('something else'))).toBeNull()
})

test('two serializable transactions in each other’s way both succeed when repeated', async () => {
  await using database = await openClone()
  const { prisma } = database
  const { id } = await prisma.user.create({ data: user })
  let attempts = 0
  const bothHaveRead = twoArrivals()
  const lengthen = () =>
    prisma.$transaction(
      async (db) => {
        attempts++
        const { nickname } = await db.user.findUniqueOrThrow({ where: { id } })
        await bothHaveRead()
        await db.user.update({ where: { id }, data: { nickname: `${nickname ?? ''}x` } })
      },
      { isolationLevel: 'Serializable' },
    )
  await Promise.all([retryOnConflict(lengthen), retryOnConflict(lengthen)])
  expect((await prisma.user.findUniqueOrThrow({ where: { id } })).nickname).toBe('xx')
  expect(attempts).toBeGreaterThan(2)
})

test('a conflict is given up after the last attempt, another error at once', async () => {
  let attempts = 0
  const fail = (code: string) => async () => {
    attempts++
    throw Object.assign(new Error(code), { code })
  }
  await expect(retryOnConflict(fail('40P01'), 3)).rejects.toThrow('40P01')
  expect(attempts).toBe(3)
  await expect(retryOnConflict(fail('23505'), 3)).rejects.toThrow('23505')
  expect(attempts).toBe(4)
  expect(isConflict(null)).toBe(false)
})

test('a broken idle connection is told, replaced, and breaks nothing', async () => {
  await using clone = await cloneDatabase()
  const told: Error[] = []
  await using database = openDatabase(clone.databaseUrl, {
    onIdleError: (error) => told.push(error),
    applicationName: 'idle-test',
  })
  await database.pool.query('SELECT 1')
  await askOne(
    clone.databaseUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'idle-test'`,
  )
  await expect.poll(() => told[0]?.message).toMatch(/terminating connection/)
  expect(await database.prisma.plan.count()).toBe(3)
})

test('a statement stopped by its limit is recognised', async () => {
  await using database = await openClone()
  const failure = database.prisma.$transaction(async (db) => {
    await db.$executeRaw`SET LOCAL statement_timeout = 10`
    await db.$executeRaw`SELECT pg_sleep(5)`
  })
  expect(await failure.catch(isStatementTimeout)).toBe(true)
})

test('statements are prepared under a name, but never behind a pooler that lends sessions by the transaction', async () => {
  await using clone = await cloneDatabase()
  const named = 'SELECT count(*)::int AS count FROM pg_prepared_statements'
  for (const [isPooled, expected] of [
    [false, 2],
    [true, 0],
  ] as const) {
    const address = databaseAddress(clone.databaseUrl, { isPooled })
    await using database = openDatabase(address, { maxConnections: 1 })
    await database.prisma.plan.findMany()
    await database.prisma.plan.findMany()
    await execute(database.pool, query('one', Prisma.sql`SELECT 1`))
    expect((await database.pool.query(named)).rows).toEqual([{ count: expected }])
  }
})

test('closing twice is closing once', async () => {
  await using clone = await cloneDatabase()
  const database = openDatabase(clone.databaseUrl)
  await database.prisma.plan.count()
  await Promise.all([database.close(), database.close()])
  await expect(database.pool.query('SELECT 1')).rejects.toThrow(/after calling end/)
})

/** Lets the first two callers go on together, and every later one at once. */
function twoArrivals(): () => Promise<void> {
  let release: (() => void) | undefined
  const complete = new Promise<void>((resolve) => {
    release = resolve
  })
  let arrived = 0
  return () => {
    arrived++
    if (arrived === 2) release?.()
    return complete
  }
}
