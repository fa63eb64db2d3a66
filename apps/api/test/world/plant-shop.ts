import { openPool, type Pool } from '@meridian/db'
import { type ClonedDatabase, clonePlanted } from '@meridian/db/testing'

/** How many of each: enough for the planner to mean it, few enough to be planted in two seconds. */
const rows = 20_000
const deep = process.env['MERIDIAN_DEEP'] === '1'
/** How many orders and reports, and how many users they belong to. */
const manyRows = deep ? 1_000_000 : rows
/** Five hundred orders wait for somebody, however many there are. */
const parkedEvery = manyRows / 500
const people = deep ? 200_000 : 4_000

const uuid = (text: string) => `overlay(overlay(md5(${text}) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid`
const person = (n: string) => uuid(`'user ' || ${n}`)
const ago = `now() - (${rows} - n) * interval '8 minutes'`
const longAgo = `now() - (${manyRows} - n) * interval '8 minutes' * ${rows / manyRows}`
const owner = `CASE WHEN n % 5 = 0 THEN 0 ELSE n % ${people} END`
/** Nine of ten refunds that have succeeded gave back all of their order, the others a fen. */
const isWhole = 'n % 10 > 0 AND n % 7 > 0'
const series = `generate_series(1, ${rows}) n`
const longSeries = `generate_series(1, ${manyRows}) n`

/** Order, report … number n was made 8 minutes before the next; every fifth belongs to one and the same user. */
const statements = [
  `INSERT INTO users (id, openid, nickname, created_at, disabled_at)
   SELECT ${person('n')}, 'oShop' || n, 'nick ' || n, now() - (${people} - n) * interval '30 minutes' * ${4000 / people},
     CASE WHEN n % 50 = 0 THEN now() END FROM generate_series(0, ${people} - 1) n`,
  `INSERT INTO operators (id, email, name, role, password_hash)
   SELECT ${uuid(`'operator ' || n`)}, 'operator' || n || '@shop.test', 'operator', 'owner', '' FROM generate_series(0, 9) n`,
  `INSERT INTO orders (out_trade_no, user_id, status, plan_code, plan_name, duration_days, features, amount_fen,
     payer_openid, app_id, mch_id, platform_host, created_at, expires_at, transaction_id, paid_at, confirmed_by,
     confirmed_at, closed_at, close_reason, parked, park_reason, refund_reserved_fen, refund_count, channel,
     virtual_product_id, paid_attempt_no)
   SELECT 'M' || upper(left(md5('order ' || n), 26)), ${person(`(${owner})`)}, status, plan, plan, 30, '{}',
     1000 + n % 9000, 'oShop', 'wx', '19', 'shop', at, at + interval '30 minutes',
     CASE WHEN status = 'paid' THEN 'T' || n END, CASE WHEN status = 'paid' THEN at END,
     CASE WHEN status = 'paid' THEN 'notification'::confirmed_by END, CASE WHEN status = 'paid' THEN at END,
     CASE WHEN status = 'closed' THEN at END, CASE WHEN status = 'closed' THEN 'expired'::close_reason END,
     n % ${parkedEvery} = 0, CASE WHEN n % ${parkedEvery} = 0 THEN 'late_payment' END, 0, 0,
     CASE WHEN n % 13 = 0 THEN 'virtual' ELSE 'jsapi' END::payment_channel, CASE WHEN n % 13 = 0 THEN plan END,
     CASE WHEN n % 13 = 0 AND status = 'paid' THEN 'M' || upper(left(md5('order ' || n), 26)) END
   FROM (SELECT n, ${longAgo} AS at, CASE WHEN n % 11 = 0 THEN 'closed' ELSE 'paid' END::order_status AS status,
     (ARRAY['monthly', 'quarterly', 'yearly'])[1 + n % 3] AS plan FROM ${longSeries}) planned`,
  `INSERT INTO order_attempts (number, order_id, signed_at, state, wx_order_id, channel_order_id)
   SELECT out_trade_no, id, created_at, CASE WHEN paid_at IS NULL THEN 'closed' ELSE 'paid' END::attempt_state, 'W' || id, 'C' || id
   FROM orders WHERE channel = 'virtual'`,
  `INSERT INTO subscriptions (user_id, seq, expires_at)
   SELECT ${person('n')}, 1, now() + (n - ${people / 2}) * interval '1 hour' FROM generate_series(0, ${people} - 1) n`,
  `INSERT INTO grants (user_id, seq, kind, order_id, plan_code, plan_name, days, features, effective_at, expires_after,
     platform_host)
   SELECT user_id, seq, 'purchase', row_number() OVER (ORDER BY user_id), 'monthly', 'monthly', 30, '{}',
     expires_at - interval '720 hours', expires_at, 'shop' FROM subscriptions`,
  'ALTER TABLE refunds DISABLE TRIGGER refunds_reserve',
  `INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, status, requested_by, decided_at,
     platform_refund_id, created_at, succeeded_at)
   SELECT 'R' || upper(left(md5('refund ' || n), 26)), n, CASE WHEN ${isWhole} THEN 1000 + n % 9000 ELSE 1 END, 'other',
     CASE WHEN n % 7 = 0 THEN 'processing' ELSE 'succeeded' END::refund_status, ${uuid(`'operator ' || n % 10`)}, ${ago},
     'P' || n, ${ago}, CASE WHEN n % 7 = 0 THEN NULL ELSE ${ago} END FROM ${series} WHERE n % 11 > 0`,
  // As the trigger that reserves a refund would have left them, all at once.
  `UPDATE orders o SET refund_count = 1, refund_reserved_fen = r.amount_fen,
     refunded_fen = CASE WHEN r.status = 'succeeded' THEN r.amount_fen ELSE o.refunded_fen END,
     status = CASE WHEN r.status = 'succeeded' AND r.amount_fen = o.amount_fen THEN 'refunded' ELSE o.status END
   FROM refunds r WHERE r.order_id = o.id`,
  'ALTER TABLE refunds ENABLE TRIGGER refunds_reserve',
  `INSERT INTO devices (serial_number, model, inventory, created_at, disabled_at)
   SELECT 'SN' || lpad(n::text, 8, '0'), 'band', n % 2 = 0, ${ago}, CASE WHEN n % 20 = 0 THEN now() END FROM ${series}`,
  `INSERT INTO bindings (serial_number, user_id, bound_at)
   SELECT 'SN' || lpad(n::text, 8, '0'), ${person(`(n % ${people})`)}, ${ago} FROM ${series} WHERE n % 3 = 0`,
  `INSERT INTO reports (id, user_id, client_report_id, kind, serial_number, started_at, ended_at, summary, measurements)
   SELECT ${uuid(`'report ' || n`)}, ${person(`(${owner})`)}, 'r' || n,
     CASE WHEN n % 4 = 0 THEN 'treatment' ELSE 'scan' END::report_kind, 'SN' || lpad((n % 500)::text, 8, '0'), ${longAgo}, ${longAgo},
     '{}', '[]' FROM ${longSeries}`,
  `INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, out_trade_no, first_at, last_at)
   SELECT 'EV-' || n, 'TRANSACTION.SUCCESS', 'S', '{}', '', '{}',
     CASE WHEN n % 9 = 0 THEN 'already_paid' ELSE 'applied' END::notification_outcome,
     'M' || upper(left(md5('order ' || n), 26)), ${ago}, ${ago} FROM ${series}`,
  `INSERT INTO rejected_deliveries (reason, source, headers, body, at)
   SELECT (ARRAY['stale', 'bad_signature', 'unknown_key'])[1 + n % 3], '192.0.2.1', '{}', '', ${ago} FROM ${series}`,
  `INSERT INTO audit_entries (at, operator_id, action, subject_type, subject_id, address, request_id)
   SELECT ${ago}, ${uuid(`'operator ' || n % 10`)}, 'act.' || n % 12, 'order', 's' || n % 5000, '192.0.2.1', 'r' || n FROM ${series}`,
  `INSERT INTO alerts (kind, subject, detail, opened_at, last_at, resolved_at, resolved_by, resolution)
   SELECT 'bill_differences', 'a' || n, '{}', ${ago}, ${ago}, CASE WHEN n % 100 > 0 THEN now() END,
     CASE WHEN n % 100 > 0 THEN ${uuid(`'operator 1'`)} END, CASE WHEN n % 100 > 0 THEN 'done' END FROM ${series}`,
  `INSERT INTO tags (label, color) VALUES ('every third', 'blue'), ('every fifth', 'red')`,
  `INSERT INTO taggings (tag_id, subject_kind, subject_id, subject_created_at, operator_id)
   SELECT tags.id, kind, subject_id, subject.created_at, ${uuid(`'operator 1'`)} FROM tags, (
     SELECT 'order' AS kind, out_trade_no AS subject_id, created_at, id AS n FROM orders UNION ALL
     SELECT 'user', id::text, created_at, row_number() OVER () FROM users UNION ALL
     SELECT 'device', serial_number, created_at, row_number() OVER () FROM devices) subject
   WHERE n % CASE label WHEN 'every third' THEN 3 ELSE 5 END = 0`,
]

const hot =
  'users, orders, order_attempts, subscriptions, grants, refunds, devices, bindings, reports, notifications, rejected_deliveries, audit_entries, alerts, taggings'

/** A million rows take longer than any question of the API may. */
const unhurried = (text: string) => ({ text, query_timeout: 900_000 })

async function plantShop(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN; SET LOCAL statement_timeout = 0')
    for (const statement of statements) await client.query(unhurried(statement))
    await client.query('COMMIT')
    await client.query(unhurried(`VACUUM ANALYZE ${hot}, operators`))
  } finally {
    client.release()
  }
}

/** A database with a shop that has a past in every list of the console, its statistics gathered. */
export const cloneShop = (): Promise<ClonedDatabase> =>
  clonePlanted('shop', async (databaseUrl) => {
    const pool = openPool(databaseUrl, { maxConnections: 1 })
    await plantShop(pool).finally(() => pool.end())
  })

/** The user with the most of all. */
export async function findHeavyUser(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(`SELECT ${person("'0'")} AS id`)
  return rows[0]?.id ?? ''
}
