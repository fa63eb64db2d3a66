import { openPool, type PoolClient, reportingRole } from '@meridian/db'
import { withConnection } from '@meridian/embedded-postgres/testing'
import { expect, test } from 'vitest'
import { cloneShop } from '../world/plant-shop.ts'
import { useOpened } from '../world/use-opened.ts'

/** A shop with many users, orders and bindings, and what only its owner may read of them. */
const shop = useOpened(async () => {
  const database = await cloneShop()
  const pool = openPool(database.databaseUrl, { maxConnections: 2 })
  await pool.query(`
    UPDATE users SET avatar_url = 'https://secret.test/face.png' WHERE nickname LIKE 'nick %';
    UPDATE devices SET mac_address = 'SECRET:MAC', sealed_secret = 'SECRET'::bytea;
    UPDATE bindings SET nickname = 'secret name';
    UPDATE refunds SET note = 'secret note' WHERE status = 'processing'`)
  return {
    pool,
    /** As somebody who evaluates the figures. */
    asReader: <T>(work: (client: Pick<PoolClient, 'query'>) => Promise<T>) =>
      withConnection(database.databaseUrl, async (client) => {
        await client.query(`SET ROLE ${reportingRole}`)
        return work(client)
      }),
    async [Symbol.asyncDispose]() {
      await pool.end()
      await database.drop()
    },
  }
})

const namesOf = async (sql: string): Promise<string[]> =>
  (await shop.pool.query<{ name: string }>(sql)).rows.map(({ name }) => name)

const viewNames = `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'reporting'::regnamespace ORDER BY 1`
const tableNames = `SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind IN ('r', 'p', 'v', 'm', 'S') AND relnamespace::regnamespace::text IN ('public', 'graphile_worker')`

const refused = { code: '42501' }

test('who reports reads every view, and in none of them who somebody is', async () => {
  const views = await namesOf(viewNames)
  expect(views.length).toBeGreaterThan(10)
  const empty = ['reporting.fees_by_day', 'reporting.reconciliation_days']
  const personal = /oShop|nick |secret|192\.0\.2\.1/i
  await shop.asReader(async (client) => {
    for (const view of views) {
      const { rows } = await client.query<{ row: string }>(`SELECT v::text AS row FROM ${view} v`)
      if (!empty.includes(view)) expect(rows.length, view).toBeGreaterThan(0)
      expect(rows.filter(({ row }) => personal.test(row)).slice(0, 3), view).toEqual([])
    }
  })
  const { rows } = await shop.pool.query(
    `SELECT count(*)::int AS people FROM users u WHERE u::text ~ 'oShop.*nick .*secret'`,
  )
  expect(rows).toEqual([{ people: 4000 }])
})

test('who reports reads no table, and changes nothing', async () => {
  const tables = await namesOf(tableNames)
  expect(tables.length).toBeGreaterThan(90)
  const views = await namesOf(viewNames)
  const forbidden = [
    ...tables.map((table) => `SELECT FROM ${table}`),
    ...views.flatMap((view) => [`DELETE FROM ${view}`, `UPDATE ${view} SET user_id = NULL`]),
    'INSERT INTO orders DEFAULT VALUES',
    `INSERT INTO reporting.plans (plan_code) VALUES ('free')`,
    'CREATE TABLE reporting.mine (id int)',
    'CREATE TABLE public.mine (id int)',
    `SELECT graphile_worker.add_job('sweep')`,
  ]
  await shop.asReader(async (client) => {
    for (const statement of forbidden)
      await expect(client.query(statement), statement).rejects.toSatisfy((error: { code?: string }) =>
        [refused.code, '42703', '55000'].includes(error.code ?? ''),
      )
  })
})

test('no function that works with the rights of its owner can be called by who reports', async () => {
  const functions = await namesOf(
    `SELECT oid::regprocedure::text AS name FROM pg_proc WHERE prosecdef AND prorettype <> 'trigger'::regtype
       AND has_function_privilege('${reportingRole}', oid, 'EXECUTE')`,
  )
  expect(functions).toEqual([])
})

const dayBefore = `(now() AT TIME ZONE 'Asia/Shanghai')::date - 20`

test.each([
  ['orders', 'created_day'],
  ['orders', 'paid_day'],
  ['refunds', 'created_day'],
  ['refunds', 'succeeded_day'],
  ['payments_by_day', 'day'],
  ['refunds_by_day', 'day'],
])('a day of reporting.%s (%s) is read without all the others', async (view, column) => {
  const { rows } = await shop.asReader(async (client) => {
    const day = `${column} = ${dayBefore}`
    const found = await client.query<{ found: number }>(
      `SELECT count(*)::int AS found FROM reporting.${view} WHERE ${day}`,
    )
    expect(found.rows[0]?.found).toBeGreaterThan(0)
    return client.query<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT * FROM reporting.${view} WHERE ${day}`)
  })
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toMatch(/Bitmap Index Scan on (orders|refunds)_by_day/)
  expect(plan).not.toContain('Seq Scan')
})

test('the sums of a day are those of its orders and refunds', async () => {
  const { rows } = await shop.asReader((client) =>
    client.query(`
      SELECT (SELECT sum(amount_fen) FROM reporting.payments_by_day)::text AS gross,
        (SELECT sum(amount_fen) FROM reporting.orders WHERE paid_at IS NOT NULL AND NOT imported)::text AS paid,
        (SELECT sum(amount_fen) FROM reporting.refunds_by_day)::text AS returned,
        (SELECT sum(refunded_fen) FROM reporting.orders)::text AS refunded,
        (SELECT min(day)::text FROM reporting.payments_by_day) AS first_day`),
  )
  const [{ gross, paid, returned, refunded }] = rows
  expect([gross, returned]).toEqual([paid, refunded])
  expect(Number(returned)).toBeGreaterThan(0)
})
