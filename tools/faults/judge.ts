import type { Pool, PoolClient } from '@meridian/db'
import { z } from 'zod'

/** What the platform knows to be paid: the order's number and the payment's. */
export type Truth = ReadonlyMap<string, string>

const PlatformOrders = z.array(
  z.object({ outTradeNo: z.string(), payments: z.array(z.object({ transactionId: z.string() })).max(1) }),
)

export async function askPlatform(sandboxUrl: string): Promise<Truth> {
  const orders = PlatformOrders.parse(await (await fetch(`${sandboxUrl}/sandbox/orders`)).json())
  return new Map(
    orders.flatMap(({ outTradeNo, payments: [payment] }) =>
      payment ? [[outTradeNo, payment.transactionId]] : [],
    ),
  )
}

type Held = {
  no: string
  status: string
  transactionId: string | null
  days: number
  userId: string
  grants: number
  grantedDays: number
}
type UserAccess = { userId: string; isActive: boolean; days: number }

const heldOrders = `
  SELECT o.out_trade_no AS no, o.status::text, o.transaction_id AS "transactionId", o.duration_days AS days,
    o.user_id AS "userId", count(g.id)::int AS grants, coalesce(sum(g.days), 0)::int AS "grantedDays"
  FROM orders o LEFT JOIN grants g ON g.order_id = o.id AND g.kind = 'purchase' GROUP BY o.id`

/**
 * Nobody's days have run out since the run began, so what somebody has is what was added up, from the first grant on: of
 * two payments at once the second in the ledger may have begun earlier, and waited.
 */
const standings = `
  SELECT s.user_id AS "userId", coalesce(s.expires_at > now(), false) AS "isActive", coalesce(round(extract(epoch FROM s.expires_at
    - (SELECT g.effective_at FROM grants g WHERE g.user_id = s.user_id AND g.seq = 1)) / 86400.0, 6), 0)::float8 AS days
  FROM subscriptions s`

function wrongWith(order: Held, payment: string | undefined): string[] {
  const wrong: string[] = []
  if (payment === undefined) {
    if (order.status === 'paid' || order.status === 'refunded') wrong.push('is paid here alone')
    if (order.grants > 0) wrong.push('brought days without a payment')
    return wrong
  }
  if (order.status !== 'paid') wrong.push(`is paid on the platform and ${order.status} here`)
  else if (order.transactionId !== payment) wrong.push('is paid by another payment than on the platform')
  if (order.grants !== 1) wrong.push(`is paid and brought days ${order.grants} times`)
  else if (order.grantedDays !== order.days)
    wrong.push(`brought ${order.grantedDays} days, not ${order.days}`)
  return wrong
}

/** A run pays every order once at most: what stands as a second payment was made by nobody. */
const secondPayments = `
  SELECT o.out_trade_no AS no, p.transaction_id AS "transactionId", o.transaction_id IS NULL AS unpaid
  FROM second_payments p JOIN orders o ON o.id = p.order_id`

type SecondPayment = { no: string; transactionId: string; unpaid: boolean }

async function wrongSecondPayments(db: Pool | PoolClient): Promise<string[]> {
  const { rows } = await db.query<SecondPayment>(secondPayments)
  return rows.map(
    ({ no, transactionId, unpaid }) =>
      `${no} has a second payment ${transactionId} that the platform does not know${unpaid ? ', and no first one' : ''}`,
  )
}

export type Verdict = { findings: string[]; daysGranted: number; ordersPaid: number }

/** Holds what the database has against what the platform knows: every order, and everybody's days. */
export async function judge(db: Pool | PoolClient, truth: Truth): Promise<Verdict> {
  const { rows: orders } = await db.query<Held>(heldOrders)
  const { rows: users } = await db.query<UserAccess>(standings)
  const known = new Set(orders.map(({ no }) => no))
  const findings = [...truth.keys()]
    .filter((no) => !known.has(no))
    .map((no) => `${no} is paid on the platform and unknown here`)
  const owed = new Map<string, number>()
  for (const order of orders) {
    const payment = truth.get(order.no)
    findings.push(...wrongWith(order, payment).map((wrong) => `${order.no} ${wrong}`))
    if (payment !== undefined) owed.set(order.userId, (owed.get(order.userId) ?? 0) + order.days)
  }
  for (const { userId, isActive, days } of users) {
    const due = owed.get(userId) ?? 0
    if (isActive !== due > 0)
      findings.push(`${userId} is ${isActive ? 'active and paid nothing' : 'not active and paid'}`)
    if (days !== due) findings.push(`${userId} has ${days} days and paid for ${due}`)
  }
  findings.push(...(await wrongSecondPayments(db)))
  const daysGranted = orders.reduce((sum, order) => sum + order.grantedDays, 0)
  return { findings, daysGranted, ordersPaid: truth.size }
}

const anyPaid = `(SELECT id FROM orders WHERE status = 'paid' ORDER BY id LIMIT 1)`

/** Ways of being wrong, each of which the judgement must see. */
const spoilings: Readonly<Record<string, string>> = {
  'a grant is missing': `DELETE FROM grants WHERE order_id = ${anyPaid}`,
  'a paid order is open again': `UPDATE orders SET status = 'prepay', transaction_id = NULL, trade_type = NULL, bank_type = NULL,
    paid_at = NULL, confirmed_by = NULL, confirmed_at = NULL WHERE id = ${anyPaid}`,
  'an order is paid by another payment': `UPDATE orders SET transaction_id = transaction_id || '0' WHERE id = ${anyPaid}`,
  'days were brought by an order nobody paid': `UPDATE grants SET order_id = (SELECT id FROM orders WHERE status NOT IN ('paid', 'refunded') ORDER BY id LIMIT 1) WHERE order_id = ${anyPaid}`,
  'a subscription ends too late': `UPDATE subscriptions SET expires_at = expires_at + interval '1 day' WHERE user_id = (SELECT user_id FROM orders WHERE id = ${anyPaid})`,
  'a second payment stands that nobody made': `INSERT INTO second_payments (order_id, transaction_id, amount_fen, payer, source)
    SELECT id, transaction_id || '0', amount_fen, 'unknown', 'notification' FROM orders WHERE id = ${anyPaid}`,
  'an order is gone': `DELETE FROM orders WHERE id = ${anyPaid}`,
}

/** Spoils the books in every way, in a transaction that is undone, and answers what the judgement overlooked. */
export async function judgeTheJudge(
  pool: Pool,
  truth: Truth,
): Promise<{ overlooked: string[]; tried: number }> {
  const overlooked: string[] = []
  const client = await pool.connect()
  try {
    for (const [name, statement] of Object.entries(spoilings)) {
      await client.query('BEGIN; SET LOCAL session_replication_role = replica')
      const { rowCount } = await client.query(statement)
      const { findings } = await judge(client, truth)
      if (rowCount === 0 || findings.length === 0) overlooked.push(name)
      await client.query('ROLLBACK')
    }
  } finally {
    client.release()
  }
  return { overlooked, tried: Object.keys(spoilings).length }
}
