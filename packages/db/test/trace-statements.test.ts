import { tracingChannel } from 'node:diagnostics_channel'
import { expect, onTestFinished, test } from 'vitest'
import { column, databaseAddress, execute, openDatabase, openPool, Prisma, query } from '../src/index.ts'
import { cloneDatabase } from '../src/testing/index.ts'

const sent = tracingChannel('meridian:statement')

/** What the channel is told of the beginnings and failures of statements. */
function listen() {
  const begun: object[] = []
  const failed: unknown[] = []
  const begin = (message: unknown) => {
    if (typeof message === 'object' && message !== null) begun.push({ ...message })
  }
  const fail = (message: unknown) => {
    if (typeof message === 'object' && message !== null && 'error' in message) failed.push(message.error)
  }
  sent.start.subscribe(begin)
  sent.error.subscribe(fail)
  onTestFinished(() => {
    sent.start.unsubscribe(begin)
    sent.error.unsubscribe(fail)
  })
  return { begun, failed }
}

test('a pool stays as it is where nobody listens as it opens', async () => {
  const pool = openPool('postgresql://nobody@127.0.0.1:1/none')
  onTestFinished(() => pool.end())
  expect(Object.hasOwn(pool, 'query')).toBe(false)
})

test('a statement is told by its name where a pooler lets none be sent', async () => {
  const { begun } = listen()
  await using clone = await cloneDatabase()
  const pool = openPool(databaseAddress(clone.databaseUrl, { isPooled: true }))
  onTestFinished(() => pool.end())
  await execute(pool, query('find-one', Prisma.sql`SELECT 1 AS told`))
  expect(begun).toEqual([{ name: 'find-one', text: 'SELECT 1 AS told' }])
})

test('every statement is told once, by its name or its text and never by its values, however it is asked', async () => {
  const { begun, failed } = listen()
  await using clone = await cloneDatabase()
  await using database = openDatabase(clone.databaseUrl, { maxConnections: 1 })
  const { pool, prisma } = database
  const named = query('find-secret', Prisma.sql`SELECT ${'a secret'} AS told`, { told: column.text })
  expect(await execute(pool, named)).toEqual([{ told: 'a secret' }])
  const client = await pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT $1::text', ['a secret'])
  await client.query('ROLLBACK')
  client.release()
  expect(begun).toEqual([
    { name: 'find-secret', text: 'SELECT $1 AS told' },
    { name: null, text: 'BEGIN' },
    { name: null, text: 'SELECT $1::text' },
    { name: null, text: 'ROLLBACK' },
  ])
  await prisma.user.findFirst({ where: { openid: 'a secret' } })
  expect(begun.at(-1)).toEqual({
    name: expect.stringMatching(/^prisma_/),
    text: expect.stringMatching(/^SELECT .* FROM "public"."users" WHERE .*\$1/),
  })
  expect(begun).toHaveLength(5)
  await expect(pool.query('SELECT nothing_of_that_name')).rejects.toMatchObject({ code: '42703' })
  expect(failed).toEqual([expect.objectContaining({ code: '42703' })])
  expect(JSON.stringify(begun)).not.toContain('a secret')
})
