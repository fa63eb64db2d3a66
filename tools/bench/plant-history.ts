import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { openPool, type Pool, type PoolClient } from '@meridian/db'
import { looseIndexesSql, type Step, sequencesSql, steps } from './history-statements.ts'

export type History = {
  orders: number
  users: number
  /** Has one order in five: the user whose list has a page 10,000. */
  heavyUserId: string
}

/** How many orders one user of the history has, on average. */
const ordersPerUser = 10
const connections = Math.max(2, Math.min(8, availableParallelism()))

/** What is done stands in the database, so that a planting that was stopped goes on where it was. */
const openRecord = `
  CREATE TABLE IF NOT EXISTS bench_planted (what text PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS bench_indexes (name text PRIMARY KEY, definition text NOT NULL);
  CREATE TABLE IF NOT EXISTS bench_history (planted_at timestamptz NOT NULL)`

/**
 * Plants the past, once: by several connections, with triggers, foreign keys and loose indexes off meanwhile; checks stay
 * on. As many reports as orders.
 */
export async function plantHistory(databaseUrl: string, orders: number): Promise<History> {
  const pool = openPool(databaseUrl, { maxConnections: connections, statementTimeoutMs: 0 })
  const history = describe(orders)
  try {
    await pool.query(openRecord)
    await once(pool, 'indexes dropped', dropIndexes)
    for (const step of steps) await plantTable(pool, history, step)
    await once(pool, 'sequences', (client) => client.query(sequencesSql, [orders]))
    await buildIndexes(pool)
    if (!(await isDone(pool, 'vacuum'))) {
      await pool.query('VACUUM (ANALYZE, FREEZE)')
      await once(pool, 'vacuum', async () => undefined)
    }
    return history
  } finally {
    await pool.end()
  }
}

const isDone = async (pool: Pool, what: string): Promise<boolean> =>
  (await pool.query('SELECT 1 FROM bench_planted WHERE what = $1', [what])).rows.length > 0

/** Does it in one transaction with the record of it, unless it is done. */
async function once(pool: Pool, what: string, work: (client: PoolClient) => Promise<unknown>): Promise<void> {
  if (await isDone(pool, what)) return
  const client = await pool.connect()
  try {
    await client.query(
      `BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL synchronous_commit = off;
       SET LOCAL work_mem = '256MB'; SET LOCAL maintenance_work_mem = '512MB'`,
    )
    await work(client)
    await client.query('INSERT INTO bench_planted VALUES ($1)', [what])
    await client.query('COMMIT')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Works through a list by all connections. */
async function byAll<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]()
  const one = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: connections }, one))
}

async function dropIndexes(client: PoolClient): Promise<void> {
  await client.query(`INSERT INTO bench_history VALUES (now())`)
  await client.query(`INSERT INTO bench_indexes ${looseIndexesSql}`, [steps.map(({ table }) => table)])
  const { rows } = await client.query<{ name: string }>('SELECT name FROM bench_indexes')
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
}

async function buildIndexes(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; definition: string }>('SELECT * FROM bench_indexes')
  await byAll(rows, ({ name, definition }) => once(pool, name, (client) => client.query(definition)))
}

/** Parts of 1 to `count`, each small enough to be one transaction. */
const partsOf = (count: number, size: number): [number, number][] =>
  Array.from({ length: Math.ceil(count / size) }, (_, at) => [
    at * size + 1,
    Math.min(count, (at + 1) * size),
  ])

async function plantTable(pool: Pool, history: History, { table, counts, atOnce, sql }: Step): Promise<void> {
  const { rows } = await pool.query<{ at: string }>('SELECT planted_at::text AS at FROM bench_history')
  await byAll(partsOf(history[counts], atOnce), ([from, to]) =>
    once(pool, `${table} ${from}`, (client) =>
      client.query(sql, [history.orders, history.users, rows[0]?.at, from, to]),
    ),
  )
  if (table === 'grants') await once(pool, 'statistics', (client) => client.query('ANALYZE grants'))
}

const describe = (orders: number): History => ({
  orders,
  users: Math.max(1000, orders / ordersPerUser),
  heavyUserId: uuidOf(createHash('md5').update('bench user 0').digest('hex')),
})

const uuidOf = (hex: string) => hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')
