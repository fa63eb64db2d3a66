import type { Pool, PoolClient } from '@meridian/db'
import { z } from 'zod'

/** A payment that the platform holds: of JSAPI by the order's number, of virtual payment by the attempt's. */
type Payment = {
  number: string
  /** What tells it from every other: its transaction, in virtual payment the number itself. */
  paymentNo: string
  /** Whether the platform counts it as handed over; JSAPI knows no such thing. */
  isDelivered: boolean
}
export type Truth = readonly Payment[]

const JsapiOrders = z.array(
  z.object({ outTradeNo: z.string(), payments: z.array(z.object({ transactionId: z.string() })).max(1) }),
)
const VirtualOrders = z.array(
  z.object({ number: z.string(), paidAt: z.string().nullable(), status: z.number() }),
)

/** A paid number is delivered from this status on (virtual payment §3.3). */
const DELIVERED = 4

export async function askPlatform(sandboxUrl: string): Promise<Truth> {
  const read = async (path: string) => (await fetch(`${sandboxUrl}/sandbox/${path}`)).json()
  const jsapi = JsapiOrders.parse(await read('orders')).flatMap(({ outTradeNo: number, payments }) =>
    payments.map(({ transactionId: paymentNo }) => ({ number, paymentNo, isDelivered: true })),
  )
  const virtual = VirtualOrders.parse(await read('virtual/orders')).flatMap(({ number, paidAt, status }) =>
    paidAt === null ? [] : [{ number, paymentNo: number, isDelivered: status >= DELIVERED }],
  )
  return [...jsapi, ...virtual]
}

type Held = {
  no: string
  /** The numbers that the platform may know it by. */
  numbers: string[]
  status: string
  paymentNo: string | null
  /** What was paid beside. */
  seconds: string[]
  days: number
  userId: string
  grants: number
  grantedDays: number
}
type UserAccess = { userId: string; isActive: boolean; days: number }

const heldOrders = `
  SELECT o.out_trade_no AS no, o.status::text, coalesce(o.paid_attempt_no, o.transaction_id) AS "paymentNo", o.duration_days AS days,
    CASE WHEN o.channel = 'jsapi' THEN ARRAY[o.out_trade_no] ELSE ARRAY(SELECT a.number FROM order_attempts a WHERE a.order_id = o.id) END AS numbers,
    ARRAY(SELECT p.transaction_id FROM second_payments p WHERE p.order_id = o.id) AS seconds,
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

function wrongWith(order: Held, payments: Truth): string[] {
  const wrong: string[] = []
  if (payments.length === 0) {
    if (order.status === 'paid' || order.status === 'refunded') wrong.push('is paid here alone')
    if (order.grants > 0) wrong.push('brought days without a payment')
    return [...wrong, ...wrongSeconds(order, payments)]
  }
  const own = payments.find(({ paymentNo }) => paymentNo === order.paymentNo)
  if (order.status !== 'paid') wrong.push(`is paid on the platform and ${order.status} here`)
  else if (!own) wrong.push('is paid by another payment than on the platform')
  else if (!own.isDelivered) wrong.push('is paid, and the platform does not count it as delivered')
  if (order.grants !== 1) wrong.push(`is paid and brought days ${order.grants} times`)
  else if (order.grantedDays !== order.days)
    wrong.push(`brought ${order.grantedDays} days, not ${order.days}`)
  return [...wrong, ...wrongSeconds(order, payments)]
}

/** What was paid beside an order's own payment is kept as that, and nothing else is. */
function wrongSeconds({ paymentNo, seconds }: Held, payments: Truth): string[] {
  const others = payments.map((payment) => payment.paymentNo).filter((one) => one !== paymentNo)
  return [
    ...seconds
      .filter((second) => !others.includes(second))
      .map((second) => `has a second payment ${second} that the platform does not know`),
    ...others
      .filter((one) => paymentNo !== null && !seconds.includes(one))
      .map((one) => `lacks its second payment ${one}`),
  ]
}

export type Verdict = { findings: string[]; daysGranted: number; payments: number; secondPayments: number }

/** A number is paid once at most. */
const byNumber = (truth: Truth) => new Map(truth.map((payment) => [payment.number, payment]))

/** Holds what the database has against what the platform knows: every order, and everybody's days. */
export async function judge(db: Pool | PoolClient, truth: Truth): Promise<Verdict> {
  const { rows: orders } = await db.query<Held>(heldOrders)
  const { rows: users } = await db.query<UserAccess>(standings)
  const known = new Set(orders.flatMap(({ numbers }) => numbers))
  const findings = truth
    .filter(({ number }) => !known.has(number))
    .map(({ number }) => `${number} is paid on the platform and unknown here`)
  const paid = byNumber(truth)
  const owed = new Map<string, number>()
  for (const order of orders) {
    const payments = order.numbers.flatMap((number) => paid.get(number) ?? [])
    findings.push(...wrongWith(order, payments).map((wrong) => `${order.no} ${wrong}`))
    if (payments.length > 0) owed.set(order.userId, (owed.get(order.userId) ?? 0) + order.days)
  }
  for (const { userId, isActive, days } of users) {
    const due = owed.get(userId) ?? 0
    if (isActive !== due > 0)
      findings.push(`${userId} is ${isActive ? 'active and paid nothing' : 'not active and paid'}`)
    if (days !== due) findings.push(`${userId} has ${days} days and paid for ${due}`)
  }
  const daysGranted = orders.reduce((sum, order) => sum + order.grantedDays, 0)
  const secondPayments = orders.reduce((sum, { seconds }) => sum + seconds.length, 0)
  return { findings, daysGranted, payments: truth.length, secondPayments }
}

const anyPaid = `(SELECT id FROM orders WHERE status = 'paid' AND channel = 'jsapi' ORDER BY id LIMIT 1)`
const anyVirtual = `(SELECT id FROM orders WHERE status = 'paid' AND channel = 'virtual' ORDER BY id LIMIT 1)`

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
  'a second payment is forgotten': `DELETE FROM second_payments WHERE id = (SELECT min(id) FROM second_payments)`,
  'a paid number belongs to nobody': `DELETE FROM order_attempts WHERE order_id = ${anyVirtual}`,
  'a virtual order is paid by a number that nobody paid': `UPDATE orders SET paid_attempt_no = paid_attempt_no || '0' WHERE id = ${anyVirtual}`,
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
