import { createHash } from 'node:crypto'
import { openPool, type Pool } from '@meridian/db'

export type History = {
  orders: number
  users: number
  /** Has one order in five: the user whose list has a page 10,000. */
  heavyUserId: string
}

/** How many orders one user of the history has, on average. */
const ordersPerUser = 5
// A hash in the form of a UUID of version 8.
const userId = (n: string) =>
  `overlay(overlay(md5('bench user ' || ${n}) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid`

/**
 * Each statement plants one table for `$1` orders of `$2` users over the last 200 days, oldest first. Order n belongs to
 * user 0 when 5 divides n (closed), else to the next of the others in turn, so that one person's purchases lie weeks
 * apart and the ledger needs no stacking.
 */
const statements = [
  `INSERT INTO users (id, openid, nickname, created_at)
   SELECT ${userId('n')}, 'oBench' || lpad(n::text, 20, '0'), 'user ' || n, now() - interval '201 days' + n * interval '1 second'
   FROM generate_series(0, $2::int - 1) n WHERE $1::int > 0`,
  `INSERT INTO orders (out_trade_no, user_id, status, plan_code, plan_name, duration_days, features, amount_fen,
     payer_openid, app_id, mch_id, platform_host, prepay_id, prepay_expires_at, created_at, expires_at, transaction_id,
     trade_type, bank_type, paid_at, confirmed_by, confirmed_at, closed_at, close_reason)
   SELECT 'M' || upper(left(md5('bench order ' || n), 26)), ${userId('owner')}, status, plan, plan, 30,
     '{report_detail,manual_treatment}', CASE plan WHEN 'monthly' THEN 2900 WHEN 'quarterly' THEN 7900 ELSE 26800 END,
     'oBench' || lpad(owner::text, 20, '0'), 'wx0000000000000000', '1900000000', 'bench', 'wx' || n,
     made + interval '2 hours', made, made + interval '30 minutes',
     CASE WHEN status = 'paid' THEN '42' || lpad(n::text, 26, '0') END, CASE WHEN status = 'paid' THEN 'JSAPI' END,
     CASE WHEN status = 'paid' THEN 'OTHERS' END, CASE WHEN status = 'paid' THEN made + interval '1 minute' END,
     CASE WHEN status = 'paid' THEN 'notification'::confirmed_by END, CASE WHEN status = 'paid' THEN made + interval '1 minute' END,
     CASE WHEN status = 'closed' THEN made + interval '30 minutes' END,
     CASE WHEN status = 'closed' THEN 'expired'::close_reason END
   FROM (SELECT n, made, owner, CASE WHEN owner = 0 OR n % 11 = 0 THEN 'closed' ELSE 'paid' END::order_status AS status,
       (ARRAY['monthly', 'monthly', 'quarterly', 'yearly'])[1 + n % 4] AS plan
     FROM (SELECT n, now() - ($1::int - n) * (interval '200 days' / $1::int) - interval '1 hour' AS made,
         CASE WHEN n % 5 = 0 THEN 0 ELSE 1 + (n - n / 5) % ($2::int - 1) END AS owner
       FROM generate_series(1, $1::int) n) placed) planned`,
  `INSERT INTO order_events (order_id, at, kind, from_status, to_status, channel, request_id)
   SELECT id, at, kind, from_status::order_status, to_status::order_status, event.channel, 'bench' FROM orders,
     LATERAL (VALUES (created_at, 'create', NULL, 'created', 'rest'),
       (created_at + interval '1 second', 'prepare', 'created', 'prepay', 'rest'),
       (coalesce(paid_at, closed_at), CASE status WHEN 'paid' THEN 'pay' ELSE 'expire' END, 'prepay', status::text,
        CASE status WHEN 'paid' THEN 'notification' ELSE 'sweep' END))
     AS event (at, kind, from_status, to_status, channel)
   WHERE $1::int > 0 AND $2::int > 0`,
  `INSERT INTO grants (user_id, seq, previous_seq, kind, order_id, plan_code, plan_name, days, features, effective_at,
     expires_before, expires_after, platform_host, created_at)
   SELECT user_id, seq, nullif(seq - 1, 0), 'purchase', id, plan_code, plan_name, duration_days, features, paid_at,
     lag(paid_at + interval '720 hours') OVER own, paid_at + interval '720 hours', platform_host, paid_at
   FROM (SELECT *, (row_number() OVER (PARTITION BY user_id ORDER BY id))::int AS seq FROM orders WHERE status = 'paid') paid
   WHERE $1::int > 0 AND $2::int > 0
   WINDOW own AS (PARTITION BY user_id ORDER BY seq)`,
  `INSERT INTO subscriptions (user_id, seq, expires_at, feature_expires_at)
   SELECT id, coalesce(seq, 0), expires_after,
     CASE WHEN seq IS NULL THEN '{}' ELSE jsonb_build_object('report_detail', ends, 'manual_treatment', ends) END
   FROM users LEFT JOIN (SELECT DISTINCT ON (user_id) user_id, seq, expires_after,
       (to_jsonb(expires_after AT TIME ZONE 'UTC') #>> '{}') || '+00:00' AS ends
     FROM grants ORDER BY user_id, seq DESC) last
     ON last.user_id = users.id
   WHERE $1::int > 0 AND $2::int > 0`,
]

/** Indexes that stand for no constraint and that no foreign key leans on: cheaper to build once at the end. */
const looseIndexes = `
  SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
  WHERE t.relname = ANY($1) AND t.relnamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)`

const reports = `
  INSERT INTO reports (id, user_id, client_report_id, kind, serial_number, started_at, ended_at, score, summary, measurements)
  SELECT overlay(overlay(md5('bench report ' || n) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid, ${userId('owner')},
    'bench-' || n, CASE WHEN n % 4 = 0 THEN 'treatment' ELSE 'scan' END::report_kind, 'SN' || lpad((n % 100000)::text, 8, '0'),
    made, made + interval '10 minutes', n % 100, '{"zones": 5}', '[1, 2, 3]'
  FROM (SELECT n, now() - ($1::int - n) * (interval '200 days' / $1::int) AS made,
      CASE WHEN n % 5 = 0 THEN 0 ELSE 1 + (n - n / 5) % ($2::int - 1) END AS owner
    FROM generate_series(1, $1::int) n) placed`

/** Plants the past, once: triggers and foreign keys are off meanwhile, checks stay on. As many reports as orders. */
export async function plantHistory(databaseUrl: string, orders: number): Promise<History> {
  const pool = openPool(databaseUrl, { maxConnections: 1, statementTimeoutMs: 0 })
  const history = describe(orders)
  try {
    const has = async (table: string) =>
      (await pool.query(`SELECT 1 FROM ${table} WHERE user_id = ${userId("'0'")} LIMIT 1`)).rows.length > 0
    if (!(await has('orders')))
      await plant(pool, history, { tables: ['orders', 'order_events', 'grants'], statements })
    if (!(await has('reports'))) await plant(pool, history, { tables: ['reports'], statements: [reports] })
    return history
  } finally {
    await pool.end()
  }
}

type Planting = { tables: string[]; statements: string[] }

async function plant(
  pool: Pool,
  { orders, users }: History,
  { tables, statements }: Planting,
): Promise<void> {
  const client = await pool.connect()
  try {
    const indexes = await client.query<{ name: string; definition: string }>(looseIndexes, [tables])
    await client.query(
      `BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL maintenance_work_mem = '512MB'`,
    )
    for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`)
    for (const statement of statements) await client.query(statement, [orders, users])
    for (const { definition } of indexes.rows) await client.query(definition)
    await client.query('COMMIT')
  } finally {
    client.release(true)
  }
  await pool.query('VACUUM (ANALYZE, FREEZE)')
}

const describe = (orders: number): History => ({
  orders,
  users: Math.max(1000, orders / ordersPerUser),
  heavyUserId: uuidOf(createHash('md5').update('bench user 0').digest('hex')),
})

const uuidOf = (hex: string) => hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')
