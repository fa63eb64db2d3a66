import { openDatabase } from '@meridian/db'
import { world } from './world.ts'

export type StoredOrder = {
  status: string
  confirmed_by: string | null
  amount_fen: number
  transaction_id: string | null
  parked: boolean
  grants: number
  granted_days: number
  events: string[]
}

/** What the database itself holds about an order, whatever any screen says. */
export async function storedOrder(outTradeNo: string): Promise<StoredOrder> {
  await using database = openDatabase(world().databaseUrl, {
    applicationName: 'meridian-e2e',
    maxConnections: 1,
  })
  const { rows } = await database.pool.query<StoredOrder>(
    `SELECT o.status, o.confirmed_by, o.amount_fen::int, o.transaction_id, o.parked,
            (SELECT count(*)::int FROM grants g WHERE g.order_id = o.id) AS grants,
            (SELECT coalesce(sum(g.days), 0)::int FROM grants g LEFT JOIN refunds r ON r.id = g.refund_id
             WHERE o.id IN (g.order_id, r.order_id)) AS granted_days,
            (SELECT array_agg(e.kind::text ORDER BY e.id) FROM order_events e WHERE e.order_id = o.id) AS events
       FROM orders o WHERE o.out_trade_no = $1`,
    [outTradeNo],
  )
  const [order] = rows
  if (order === undefined) throw new Error(`There is no order ${outTradeNo}`)
  return order
}

/** Runs one statement on the database itself, for what no screen can do: let time pass. */
async function touch(statement: string, values: readonly string[]): Promise<void> {
  await using database = openDatabase(world().databaseUrl, {
    applicationName: 'meridian-e2e',
    maxConnections: 1,
  })
  await database.pool.query(statement, [...values])
}

/** As if the operator's last code lay far back: within half a minute the console takes each code once. */
export const letCodesPass = (email: string) =>
  touch('UPDATE operators SET totp_step = NULL WHERE email = $1', [email])

const ofOperator = 'operator_id = (SELECT id FROM operators WHERE email = $1)'

/** As if the operator had shown the second factor just now, in each of their sessions. */
export const keepProven = (email: string) =>
  touch(`UPDATE operator_sessions SET proven_at = now() WHERE ${ofOperator}`, [email])

/** As if the operator had shown the second factor an hour ago. */
export const letProofPass = (email: string) =>
  touch(`UPDATE operator_sessions SET proven_at = now() - interval '1 hour' WHERE ${ofOperator}`, [email])

/** How often an act stands in the audit log for a subject. */
export async function auditCount(action: string, subjectId: string): Promise<number> {
  await using database = openDatabase(world().databaseUrl, {
    applicationName: 'meridian-e2e',
    maxConnections: 1,
  })
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM audit_entries WHERE action = $1 AND subject_id = $2',
    [action, subjectId],
  )
  return rows[0]?.count ?? 0
}

/** As if the bills of a day had been compared, with one order that they do not know: no worker runs beside the journeys. */
export const plantReconciledDay = (date: string, outTradeNo: string) =>
  touch(
    `WITH day AS (
       INSERT INTO reconciliation_days (date, state, order_fen, ledger_fen, bill_fen, matched_at)
       VALUES ($1::date, 'matched', 2900, 2900, 0, now()) RETURNING date)
     INSERT INTO reconciliation_differences (date, kind, subject, out_trade_no, ours, suggested_action, bill_gap_fen)
     SELECT date, 'ours_only', $2, $2, '{"status": "paid", "amount_fen": 2900}', 'ask_platform', -2900 FROM day`,
    [date, outTradeNo],
  )

/** The user who made an order, and how many days they have left. */
export async function buyerOf(outTradeNo: string): Promise<{ userId: string; days: number }> {
  await using database = openDatabase(world().databaseUrl, {
    applicationName: 'meridian-e2e',
    maxConnections: 1,
  })
  const { rows } = await database.pool.query<{ userId: string; days: number }>(
    `SELECT s.user_id AS "userId", ceil(extract(epoch FROM s.expires_at - now()) / 86400)::int AS days
       FROM subscriptions s JOIN orders o ON o.user_id = s.user_id WHERE o.out_trade_no = $1`,
    [outTradeNo],
  )
  const [buyer] = rows
  if (buyer === undefined) throw new Error(`There is no order ${outTradeNo}`)
  return buyer
}

/** What was paid today in China, by the database itself. */
export async function paidToday(): Promise<number> {
  await using database = openDatabase(world().databaseUrl, {
    applicationName: 'meridian-e2e',
    maxConnections: 1,
  })
  const { rows } = await database.pool.query<{ fen: number }>(
    `SELECT coalesce(sum(amount_fen), 0)::float8 AS fen FROM orders
      WHERE (paid_at AT TIME ZONE 'Asia/Shanghai')::date = (now() AT TIME ZONE 'Asia/Shanghai')::date`,
  )
  return rows[0]?.fen ?? 0
}

/** As if the invariants had found fault with a paid order: nothing automatic happens to it. */
export const parkOrder = (outTradeNo: string) =>
  touch(`UPDATE orders SET parked = true, park_reason = 'refunded_more_than_paid' WHERE out_trade_no = $1`, [
    outTradeNo,
  ])

/** As if the database had lost an order for a while, as after a restore; answers how it comes back. */
export async function forgetOrder(outTradeNo: string): Promise<() => Promise<void>> {
  const elsewhere = `M9${outTradeNo.slice(2)}`
  const rename = async (from: string, to: string) => {
    await using database = openDatabase(world().databaseUrl, {
      applicationName: 'meridian-e2e',
      maxConnections: 1,
    })
    await database.pool.query(`
      BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE orders SET out_trade_no = '${to}' WHERE out_trade_no = '${from}';
      COMMIT`)
  }
  await rename(outTradeNo, elsewhere)
  return () => rename(elsewhere, outTradeNo)
}

/** The id under which the inbox keeps what the platform said of an order; waits until it does. */
export async function keptNotification(outTradeNo: string): Promise<string> {
  await using database = openDatabase(world().databaseUrl, {
    applicationName: 'meridian-e2e',
    maxConnections: 1,
  })
  for (let turn = 0; turn < 100; turn++) {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT n.id FROM pg_sleep(0.1), notifications n WHERE n.out_trade_no = $1`,
      [outTradeNo],
    )
    if (rows[0]) return rows[0].id
  }
  throw new Error(`The platform said nothing of ${outTradeNo}`)
}
