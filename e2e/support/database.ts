import { openDatabase } from '@meridian/db'
import { world } from './world.ts'

/** Runs one statement on the database itself, for what no screen can say or do. */
async function ask<Row extends object>(statement: string, values: readonly string[] = []): Promise<Row[]> {
  await using database = openDatabase(world().databaseUrl, {
    applicationName: 'meridian-e2e',
    maxConnections: 1,
  })
  const { rows } = await database.pool.query<Row>(statement, [...values])
  return rows
}

async function askOne<Row extends object>(statement: string, ...subjects: string[]): Promise<Row> {
  const [row] = await ask<Row>(statement, subjects)
  if (row === undefined) throw new Error(`The database knows nothing of ${subjects}`)
  return row
}

export type StoredOrder = {
  status: string
  confirmed_by: string | null
  amount_fen: number
  transaction_id: string | null
  parked: boolean
  refund_reserved_fen: number
  grants: number
  granted_days: number
  /** What happened to it; not how often somebody asked in vain. */
  events: string[]
}

/** What the database itself holds about an order, whatever any screen says. */
export const storedOrder = (outTradeNo: string): Promise<StoredOrder> =>
  askOne(
    `SELECT o.status, o.confirmed_by, o.amount_fen::int, o.transaction_id, o.parked, o.refund_reserved_fen,
            (SELECT count(*)::int FROM grants g WHERE g.order_id = o.id) AS grants,
            (SELECT coalesce(sum(g.days), 0)::int FROM grants g LEFT JOIN refunds r ON r.id = g.refund_id
             WHERE o.id IN (g.order_id, r.order_id)) AS granted_days,
            (SELECT array_agg(e.kind::text ORDER BY e.id) FROM order_events e
             WHERE e.order_id = o.id AND e.kind <> 'ask') AS events
       FROM orders o WHERE o.out_trade_no = $1`,
    outTradeNo,
  )

/** How the refunds of an order stand, oldest first. */
export async function refundsOf(outTradeNo: string): Promise<string[]> {
  const rows = await ask<{ status: string }>(
    `SELECT r.status::text FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE o.out_trade_no = $1 ORDER BY r.id`,
    [outTradeNo],
  )
  return rows.map(({ status }) => status)
}

/** As if the operator's last code lay far back: within half a minute the console takes each code once. */
export const letCodesPass = (email: string) =>
  ask('UPDATE operators SET totp_step = NULL WHERE email = $1', [email])

const ofOperator = 'operator_id = (SELECT id FROM operators WHERE email = $1)'

/** As if the operator had shown the second factor and the password just now, in each of their sessions. */
export const keepProven = (email: string) =>
  ask(`UPDATE operator_sessions SET proven_at = now(), password_proven_at = now() WHERE ${ofOperator}`, [
    email,
  ])

/** As if the operator had given the password an hour ago. */
export const letPasswordPass = (email: string) =>
  ask(`UPDATE operator_sessions SET password_proven_at = now() - interval '1 hour' WHERE ${ofOperator}`, [
    email,
  ])

/** As if the operator had shown the second factor an hour ago. */
export const letProofPass = (email: string) =>
  ask(`UPDATE operator_sessions SET proven_at = now() - interval '1 hour' WHERE ${ofOperator}`, [email])

/** As if the operator's authenticator had been taken away elsewhere, while something is done. */
export async function withoutAuthenticator(email: string, done: () => Promise<void>): Promise<void> {
  const set = (at: string) =>
    ask(`UPDATE operators SET totp_confirmed_at = ${at}, factor_trusted_from = ${at} WHERE email = $1`, [
      email,
    ])
  await set('NULL')
  try {
    await done()
  } finally {
    await set(`now() - interval '2 days'`)
  }
}

/** As if the operator had left. */
export const letGo = (email: string) =>
  ask('UPDATE operators SET disabled_at = now() WHERE email = $1', [email])

/** The id under which the staff knows an operator. */
export async function staffId(email: string): Promise<string> {
  const { id } = await askOne<{ id: string }>('SELECT id FROM operators WHERE email = $1', email)
  return id
}

/** As if an operator had kept a view of a list, unless they already have. */
export const plantView = ({ ownerEmail, page, query }: Record<'ownerEmail' | 'page' | 'query', string>) =>
  ask(
    `INSERT INTO saved_views (id, operator_id, page, name, query)
     SELECT gen_random_uuid(), id, $2, $3, $3 FROM operators WHERE email = $1 ON CONFLICT DO NOTHING`,
    [ownerEmail, page, query],
  )

/** How often an act stands in the audit log for a subject. */
export async function auditCount(action: string, subjectId: string): Promise<number> {
  const rows = await ask('SELECT FROM audit_entries WHERE action = $1 AND subject_id = $2', [
    action,
    subjectId,
  ])
  return rows.length
}

/** As if the bills of a day had been compared, with one order that they do not know: no worker runs beside the journeys. */
export const plantReconciledDay = (date: string, outTradeNo: string) =>
  ask(
    `WITH day AS (
       INSERT INTO reconciliation_days (date, state, order_fen, ledger_fen, bill_fen, matched_at)
       VALUES ($1::date, 'matched', 2900, 2900, 0, now()) RETURNING date)
     INSERT INTO reconciliation_differences (date, kind, subject, out_trade_no, ours, suggested_action, bill_gap_fen)
     SELECT date, 'ours_only', $2, $2, '{"status": "paid", "amount_fen": 2900}', 'ask_platform', -2900 FROM day`,
    [date, outTradeNo],
  )

/** Two days before anybody's: their reconciliation belongs to one test alone. */
export const untouchedDays = () =>
  askOne<{ openDay: string; closableDay: string }>(`
    SELECT (first - 1)::text AS "openDay", (first - 2)::text AS "closableDay"
    FROM (SELECT least(min(date), '2020-01-01') AS first FROM reconciliation_days) days`)

/** As if a job had failed three times and waited for its next turn. */
export const plantFailedJob = (key: string) =>
  ask(`
    SELECT graphile_worker.add_job('sweep_order', '{}', job_key => '${key}');
    UPDATE graphile_worker._private_jobs SET attempts = 3, last_error = 'the platform did not answer',
      run_at = now() + interval '1 hour' WHERE key = '${key}'`)

type Waiting = { outTradeNo: string; askerEmail: string; closableDay: string }

/**
 * What waits at the desks for whoever may decide it: refunds and days for a paid order, its shipping information and
 * an alert about it; and a day whose bills leave nothing open.
 */
export async function plantAtDesks({ outTradeNo, askerEmail, closableDay }: Waiting) {
  const [requested, abnormal] = [`R1${outTradeNo.slice(2)}`, `R2${outTradeNo.slice(2)}`]
  const bought = `(SELECT id FROM orders WHERE out_trade_no = '${outTradeNo}')`
  const asker = `(SELECT id FROM operators WHERE email = '${askerEmail}')`
  await ask(`
    INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, status, requested_by, decided_at) VALUES
      ('${requested}', ${bought}, 100, 'other', 'requested', ${asker}, NULL),
      ('${abnormal}', ${bought}, 100, 'other', 'abnormal', ${asker}, now());
    INSERT INTO grant_requests (user_id, days, reason, requested_by)
      SELECT user_id, 60, '设备维修期间的补偿', ${asker} FROM orders WHERE id = ${bought};
    INSERT INTO shipping_uploads (order_id, state, last_code) VALUES (${bought}, 'failed', '10060001');
    INSERT INTO alerts (kind, subject) VALUES ('payment_mismatch', '${outTradeNo}');
    INSERT INTO reconciliation_days (date, state, order_fen, ledger_fen, bill_fen, matched_at)
      VALUES ('${closableDay}', 'matched', 2900, 2900, 2900, now())`)
  return { requested, abnormal }
}

/** How often a job was tried, and whether it is due now. */
export const storedJob = (key: string): Promise<{ attempts: number; due: boolean }> =>
  askOne('SELECT attempts::int, run_at <= now() AS due FROM graphile_worker.jobs WHERE key = $1', key)

/** The user who made an order, and how many days they have left. */
export const buyerOf = (outTradeNo: string): Promise<{ userId: string; days: number }> =>
  askOne(
    `SELECT s.user_id AS "userId", ceil(extract(epoch FROM s.expires_at - now()) / 86400)::int AS days
       FROM subscriptions s JOIN orders o ON o.user_id = s.user_id WHERE o.out_trade_no = $1`,
    outTradeNo,
  )

/** What came in and did not go back, from so many days until today in China, by the database itself. */
export async function netWithin(days: number): Promise<number> {
  const within = (time: string) =>
    `(${time} AT TIME ZONE 'Asia/Shanghai')::date > (now() AT TIME ZONE 'Asia/Shanghai')::date - $1::int`
  const { fen } = await askOne<{ fen: number }>(
    `SELECT (SELECT coalesce(sum(amount_fen), 0) FROM orders WHERE ${within('paid_at')})::float8
          - (SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE ${within('succeeded_at')})::float8 AS fen`,
    `${days}`,
  )
  return fen
}

/** As if the invariants had found fault with a paid order: nothing automatic happens to it. */
export const parkOrder = (outTradeNo: string, reason = 'refunded_more_than_paid') =>
  ask('UPDATE orders SET parked = true, park_reason = $2 WHERE out_trade_no = $1', [outTradeNo, reason])

// The database itself refuses to rewrite what was agreed; here its triggers are put to sleep.
const rewrite = (statement: string) =>
  ask(`BEGIN; SET LOCAL session_replication_role = replica; ${statement}; COMMIT`)

/** As if the order had been made two hours ago and was closed when its time to pay was over; its buyer is still at it. */
export const letOrderExpire = (outTradeNo: string) =>
  rewrite(`UPDATE orders SET created_at = created_at - interval '2 hours', expires_at = expires_at - interval '2 hours',
    status = 'closed', close_reason = 'expired', closed_at = now() WHERE out_trade_no = '${outTradeNo}'`)

/** As if the order had been made and paid three days ago. */
export const letDaysPass = (outTradeNo: string) =>
  rewrite(`UPDATE orders SET created_at = created_at - interval '3 days', expires_at = expires_at - interval '3 days',
    paid_at = paid_at - interval '3 days' WHERE out_trade_no = '${outTradeNo}'`)

/** The highest frequency that a program may have. */
export const limitFrequency = (most: number) =>
  ask(
    `UPDATE settings SET value = jsonb_set(value, '{frequency_hz,max}', to_jsonb($1::int)) WHERE key = 'program_bounds'`,
    [String(most)],
  )

/** What happens to a payment that comes too late. */
export const setLatePolicy = (policy: 'activate' | 'ask') =>
  ask(`UPDATE settings SET value = to_jsonb($1::text) WHERE key = 'late_payment_policy'`, [policy])

/** As if the database had lost an order for a while, as after a restore; answers how it comes back. */
export async function forgetOrder(outTradeNo: string): Promise<() => Promise<unknown>> {
  const elsewhere = `M9${outTradeNo.slice(2)}`
  const rename = (from: string, to: string) =>
    rewrite(`UPDATE orders SET out_trade_no = '${to}' WHERE out_trade_no = '${from}'`)
  await rename(outTradeNo, elsewhere)
  return () => rename(elsewhere, outTradeNo)
}

/** The id under which the inbox keeps what the platform said of an order; waits until it does. */
export async function keptNotification(outTradeNo: string): Promise<string> {
  for (let turn = 0; turn < 100; turn++) {
    const [kept] = await ask<{ id: string }>(
      'SELECT n.id FROM pg_sleep(0.1), notifications n WHERE n.out_trade_no = $1',
      [outTradeNo],
    )
    if (kept) return kept.id
  }
  throw new Error(`The platform said nothing of ${outTradeNo}`)
}

/** Every paid order, newest first, in the words of the file that may leave the console. */
export async function paidOrdersAsLines(): Promise<string[][]> {
  const yuan = (fen: string) => `to_char(${fen} / 100.0, 'FM9999990.00')`
  const moment = (time: string) => `to_char(${time} AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')`
  const mark = (fact: string) => `CASE WHEN ${fact} THEN 'yes' ELSE '' END`
  const rows = await ask<{ line: string[] }>(
    `SELECT json_build_array(out_trade_no, status, plan_code, plan_name, ${yuan('amount_fen')}, ${yuan('refunded_fen')},
            user_id, transaction_id, confirmed_by, ${mark('late')}, ${mark('parked')}, ${moment('created_at')},
            ${moment('paid_at')}) AS line
       FROM orders WHERE status = 'paid' ORDER BY created_at DESC, id DESC`,
  )
  return rows.map(({ line }) => line)
}

/** How many orders each tab of the list is to count, by the database itself. */
export async function countedOrders(): Promise<Record<string, number>> {
  const [counted] = await ask<Record<string, number>>(
    `SELECT count(*)::int AS "全部",
        (count(*) FILTER (WHERE status = 'prepay'))::int AS "待支付",
        (count(*) FILTER (WHERE status = 'paid'))::int AS "已支付",
        (count(*) FILTER (WHERE parked))::int AS "异常",
        (count(*) FILTER (WHERE EXISTS (SELECT FROM refunds r WHERE r.order_id = o.id
          AND r.status IN ('requested', 'approved', 'processing', 'abnormal'))))::int AS "退款中"
      FROM orders o`,
  )
  return counted ?? {}
}
