/** One table of the history, or one step of it: `$1` orders, `$2` users, `$3` when it was planted, `$4` to `$5` of what it counts, `atOnce` in one transaction. */
export type Step = { table: string; counts: 'orders' | 'users'; atOnce: number; sql: string }

// A hash in the form of a UUID of version 8.
const userIdSql = (n: string) =>
  `overlay(overlay(md5('bench user ' || ${n}) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid`

// The same, its first digits in the order of time, as the ids of the product are.
const reportIdSql = (n: string) =>
  `overlay(overlay(lpad(to_hex(${n}), 12, '0') || left(md5('bench report ' || ${n}), 20) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid`

/**
 * Order n, or report n: when it was made in the last 400 days, oldest first, and whose it is. User 0 has it when 5
 * divides n, else the next of the others in turn, so that one person's purchases lie weeks apart and the ledger needs no
 * stacking.
 */
const placedSql = `(
  SELECT n, $3::timestamptz - ($1::int - n) * (interval '400 days' / $1::int) - interval '1 hour' AS made,
    CASE WHEN n % 5 = 0 THEN 0 ELSE 1 + (n - n / 5) % ($2::int - 1) END AS owner
  FROM generate_series($4::int, $5::int) n) placed`

// Its first digits in the order of time, as those of the numbers that the product gives: what is made together lies together.
const orderNumberSql = `
    'M' || upper(lpad(to_hex((extract(epoch FROM made) * 1e6)::bigint), 14, '0') || left(md5('bench order ' || n), 12))`

const users = `
  INSERT INTO users (id, openid, nickname, created_at)
  SELECT ${userIdSql('n')}, 'oBench' || lpad(n::text, 20, '0'), 'user ' || n,
    $3::timestamptz - interval '401 days' + n * (interval '1 day' / $2::int)
  FROM generate_series($4::int - 1, $5::int - 1) n WHERE $1::int > 0`

// What was bought for user 0 ran out: their list is long, their ledger is empty.
const orders = `
  INSERT INTO orders (id, out_trade_no, user_id, status, plan_code, plan_name, duration_days, features, amount_fen,
    payer_openid, app_id, mch_id, platform_host, prepay_id, prepay_expires_at, created_at, expires_at, transaction_id,
    trade_type, bank_type, paid_at, confirmed_by, confirmed_at, closed_at, close_reason)
  SELECT n, ${orderNumberSql}, ${userIdSql('owner')}, status, plan, plan, 30,
    '{report_detail,manual_treatment}', CASE plan WHEN 'monthly' THEN 2900 WHEN 'quarterly' THEN 7900 ELSE 26800 END,
    'oBench' || lpad(owner::text, 20, '0'), 'wx0000000000000000', '1900000000', 'bench', 'wx' || n,
    made + interval '2 hours', made, made + interval '30 minutes',
    CASE WHEN paid THEN '42' || lpad(n::text, 26, '0') END, CASE WHEN paid THEN 'JSAPI' END,
    CASE WHEN paid THEN 'OTHERS' END, CASE WHEN paid THEN made + interval '1 minute' END,
    CASE WHEN paid THEN 'notification'::confirmed_by END, CASE WHEN paid THEN made + interval '1 minute' END,
    CASE WHEN NOT paid THEN made + interval '30 minutes' END, CASE WHEN NOT paid THEN 'expired'::close_reason END
  FROM (SELECT *, status = 'paid' AS paid FROM (
    SELECT n, made, owner, CASE WHEN owner = 0 OR n % 11 = 0 THEN 'closed' ELSE 'paid' END::order_status AS status,
      (ARRAY['monthly', 'monthly', 'quarterly', 'yearly'])[1 + n % 4] AS plan FROM ${placedSql}) named) planned`

const events = `
  INSERT INTO order_events (id, order_id, at, kind, from_status, to_status, channel, request_id)
  SELECT 3 * (id - 1) + place, id, at, kind, from_status::order_status, to_status::order_status, event.channel, 'bench'
  FROM orders, LATERAL (VALUES (1, created_at, 'create', NULL, 'created', 'rest'),
    (2, created_at + interval '1 second', 'prepare', 'created', 'prepay', 'rest'),
    (3, coalesce(paid_at, closed_at), CASE status WHEN 'paid' THEN 'pay' ELSE 'expire' END, 'prepay', status::text,
      CASE status WHEN 'paid' THEN 'notification' ELSE 'sweep' END))
    AS event (place, at, kind, from_status, to_status, channel)
  WHERE $1::int > 0 AND $2::int > 0 AND $3::timestamptz IS NOT NULL AND id BETWEEN $4 AND $5`

const grants = `
  INSERT INTO grants (id, user_id, seq, previous_seq, kind, order_id, plan_code, plan_name, days, features, effective_at,
    expires_before, expires_after, platform_host, created_at)
  SELECT id, user_id, seq, nullif(seq - 1, 0), 'purchase', id, plan_code, plan_name, duration_days, features, paid_at,
    lag(paid_at + interval '720 hours') OVER own, paid_at + interval '720 hours', platform_host, paid_at
  FROM (
    SELECT o.id, user_id, plan_code, plan_name, duration_days, features, paid_at, platform_host,
      (row_number() OVER (PARTITION BY o.user_id ORDER BY o.id))::int AS seq
    FROM orders o JOIN (SELECT ${userIdSql('n')} AS id FROM generate_series($4::int - 1, $5::int - 1) n) u ON u.id = o.user_id
    WHERE o.status = 'paid') paid
  WHERE $1::int > 0 AND $2::int > 0 AND $3::timestamptz IS NOT NULL
  WINDOW own AS (PARTITION BY user_id ORDER BY seq)`

const subscriptions = `
  INSERT INTO subscriptions (user_id, seq, expires_at, feature_expires_at)
  SELECT u.id, coalesce(seq, 0), expires_after,
    CASE WHEN seq IS NULL THEN '{}' ELSE jsonb_build_object('report_detail', ends, 'manual_treatment', ends) END
  FROM (SELECT ${userIdSql('n')} AS id FROM generate_series($4::int - 1, $5::int - 1) n) u LEFT JOIN LATERAL (
    SELECT seq, expires_after, (to_jsonb(expires_after AT TIME ZONE 'UTC') #>> '{}') || '+00:00' AS ends
    FROM grants WHERE user_id = u.id ORDER BY seq DESC LIMIT 1) last ON TRUE
  WHERE $1::int > 0 AND $2::int > 0 AND $3::timestamptz IS NOT NULL`

const notifications = `
  INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, out_trade_no, first_at, last_at)
  SELECT 'bench-' || lpad(to_hex(id), 12, '0'), 'TRANSACTION.SUCCESS', 'bench', '{}', '\\x7b7d',
    jsonb_build_object('transaction_id', transaction_id), 'applied', out_trade_no, paid_at, paid_at
  FROM orders
  WHERE status = 'paid' AND $1::int > 0 AND $2::int > 0 AND $3::timestamptz IS NOT NULL AND id BETWEEN $4 AND $5`

const reports = `
  INSERT INTO reports (id, user_id, client_report_id, kind, serial_number, started_at, ended_at, score, summary, measurements)
  SELECT ${reportIdSql('n')}, ${userIdSql('owner')}, 'bench-' || n,
    CASE WHEN n % 4 = 0 THEN 'treatment' ELSE 'scan' END::report_kind, 'SN' || lpad((n % 100000)::text, 8, '0'),
    made, made + interval '10 minutes', n % 100, '{"zones": 5}', '[1, 2, 3]'
  FROM ${placedSql}`

// Every fifth order bears the one tag there is.
const taggings = `
  WITH tag AS (INSERT INTO tags (id, label, color) VALUES (1, 'bench', 'blue') ON CONFLICT DO NOTHING)
  INSERT INTO taggings (tag_id, subject_kind, subject_id, subject_created_at, user_id, operator_id)
  SELECT 1, 'order', out_trade_no, created_at, user_id, ${userIdSql("'operator'")} FROM orders
  WHERE $1::int > 0 AND $2::int > 0 AND $3::timestamptz IS NOT NULL AND id BETWEEN $4 AND $5 AND id % 5 = 1`

/** Each plants one table out of those before it; what reads a table from end to end does so seldom. */
export const steps: readonly Step[] = [
  { table: 'users', counts: 'users', atOnce: 100_000, sql: users },
  { table: 'orders', counts: 'orders', atOnce: 250_000, sql: orders },
  { table: 'order_events', counts: 'orders', atOnce: 250_000, sql: events },
  { table: 'grants', counts: 'users', atOnce: 100_000, sql: grants },
  { table: 'subscriptions', counts: 'users', atOnce: 100_000, sql: subscriptions },
  { table: 'notifications', counts: 'orders', atOnce: 250_000, sql: notifications },
  { table: 'reports', counts: 'orders', atOnce: 250_000, sql: reports },
  { table: 'taggings', counts: 'orders', atOnce: 250_000, sql: taggings },
]

/** Indexes that stand for no constraint and that no foreign key leans on: cheaper to build at the end. */
export const looseIndexesSql = `
  SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
  WHERE t.relname = ANY($1) AND t.relnamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)`

/** Numbers that were given by the statements themselves are not given again. */
export const sequencesSql = `
  SELECT setval(pg_get_serial_sequence(name, 'id'), $1::bigint * CASE name WHEN 'order_events' THEN 3 ELSE 1 END + 1)
  FROM unnest(ARRAY['orders', 'order_events', 'grants']) name`
