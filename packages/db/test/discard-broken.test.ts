import { expect, test } from 'vitest'
import { openPool } from '../src/index.ts'
import { cloneDatabase } from '../src/testing/index.ts'

/** Which session a connection of the pool has, when somebody takes one and gives it back as a good one. */
const backendOf = async (pool: ReturnType<typeof openPool>): Promise<number> =>
  (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0

async function openClone(statementTimeoutMs = 5_000) {
  const clone = await cloneDatabase()
  const pool = openPool(clone.databaseUrl, { maxConnections: 1, statementTimeoutMs })
  const dispose = async () => {
    await pool.end()
    await clone.drop()
  }
  return { pool, [Symbol.asyncDispose]: dispose }
}

/** As the job library does: whatever the statement's answer, the connection is given back as a good one. */
async function giveBackAfter(pool: ReturnType<typeof openPool>, statement: string): Promise<unknown> {
  const client = await pool.connect()
  const answer = await client.query(statement).catch((error: unknown) => error)
  client.release()
  return answer
}

test('a connection to a server that only reads is closed when it is given back', async () => {
  await using opened = await openClone()
  const { pool } = opened
  const before = await backendOf(pool)
  expect(await giveBackAfter(pool, 'BEGIN READ ONLY; CREATE TABLE x ()')).toMatchObject({ code: '25006' })
  expect(await backendOf(pool)).not.toBe(before)
})

test('a connection whose statement had no answer in time is closed when it is given back', async () => {
  await using opened = await openClone(200)
  const { pool } = opened
  const before = await backendOf(pool)
  expect(await giveBackAfter(pool, 'SELECT pg_sleep(3)')).toMatchObject({ message: 'Query read timeout' })
  expect(await backendOf(pool)).not.toBe(before)
})

test('a statement that was refused for its content leaves its connection in use', async () => {
  await using opened = await openClone()
  const { pool } = opened
  const before = await backendOf(pool)
  expect(await giveBackAfter(pool, 'SELECT 1 / 0')).toMatchObject({ code: '22012' })
  expect(await backendOf(pool)).toBe(before)
})
