import { column, execute, nullable, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { findIncomeDifference } from '../finance/show-deferred.ts'
import { isUnpaidSql } from '../orders/read-orders.ts'
import { type LedgerDifference, verifyLedger } from '../subscriptions/verify-ledger.ts'

const { sql } = Prisma

const violationColumns = { subject: column.text, outTradeNo: nullable(column.text) }
/** Something that must never be, found. `outTradeNo` where one order is to blame. */
export type Violation = { invariant: string } & RowOf<typeof violationColumns>

/** A condition on what identifies an order or a user, an expression; whatever else is read says it again. */
export type Scope = (id: Prisma.Sql) => Prisma.Sql
const everything: Scope = () => sql`TRUE`

/** Each answers the rows that break it, as subject and outTradeNo: looked for among some orders. */
const ofOrders: Readonly<Record<string, (among: Scope) => Prisma.Sql>> = {
  paid_without_grant: (among) => sql`
    SELECT o.out_trade_no AS subject, o.out_trade_no AS "outTradeNo" FROM orders o
    WHERE o.status IN ('paid', 'refunded') AND NOT o.parked AND ${among(sql`o.id`)}
      AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase' AND ${among(sql`g.order_id`)})
      AND NOT (o.imported AND NOT EXISTS (SELECT 1 FROM import_lines l WHERE l.order_id = o.id AND l.seq IS NOT NULL))
      AND NOT (o.late AND EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.id AND r.second_payment_id IS NULL))`,
  grant_without_paid_order: (among) => sql`
    SELECT o.out_trade_no AS subject, o.out_trade_no AS "outTradeNo" FROM grants g JOIN orders o ON o.id = g.order_id
    WHERE g.kind = 'purchase' AND o.status NOT IN ('paid', 'refunded') AND ${among(sql`o.id`)} AND ${among(sql`g.order_id`)}`,
  refunded_more_than_paid: (among) => sql`
    SELECT o.out_trade_no AS subject, o.out_trade_no AS "outTradeNo" FROM orders o
    JOIN (SELECT order_id, sum(amount_fen) FILTER (WHERE status = 'succeeded') AS fen FROM refunds
      WHERE second_payment_id IS NULL AND ${among(sql`order_id`)} GROUP BY order_id) r ON r.order_id = o.id
    WHERE coalesce(r.fen, 0) <> o.refunded_fen OR o.refunded_fen > o.amount_fen`,
  attempt_differs_from_order: (among) => sql`
    SELECT o.out_trade_no AS subject, o.out_trade_no AS "outTradeNo" FROM orders o
    WHERE o.paid_attempt_no IS NOT NULL AND ${among(sql`o.id`)} AND NOT EXISTS (
      SELECT 1 FROM order_attempts a WHERE a.number = o.paid_attempt_no AND a.order_id = o.id AND a.state = 'paid')
    UNION ALL
    SELECT o.out_trade_no, o.out_trade_no FROM order_attempts a JOIN orders o ON o.id = a.order_id
    WHERE a.state = 'paid' AND o.paid_attempt_no IS DISTINCT FROM a.number AND ${among(sql`o.id`)} AND ${among(sql`a.order_id`)}`,
}

/** The same among the devices that some users have now. */
const ofUsers: Readonly<Record<string, (among: Scope) => Prisma.Sql>> = {
  two_owners_of_one_device: (among) => sql`
    SELECT serial_number AS subject, NULL AS "outTradeNo" FROM bindings WHERE unbound_at IS NULL
      AND serial_number IN (SELECT serial_number FROM bindings WHERE unbound_at IS NULL AND ${among(sql`user_id`)})
    GROUP BY serial_number HAVING count(*) > 1`,
}

/** What only a few orders can break: those that are unpaid, were paid twice, or were just paid. */
const ofFew = (hourAgo: bigint): Readonly<Record<string, Prisma.Sql>> => ({
  second_payment_overdrawn: sql`
    SELECT p.transaction_id AS subject, o.out_trade_no AS "outTradeNo" FROM second_payments p JOIN orders o ON o.id = p.order_id
    WHERE o.paid_at IS NULL
      OR EXISTS (SELECT 1 FROM orders paid WHERE paid.transaction_id = p.transaction_id)
      OR EXISTS (SELECT 1 FROM orders paid WHERE paid.paid_attempt_no = p.transaction_id)
      OR p.amount_fen < (SELECT coalesce(sum(r.amount_fen), 0) FROM refunds r
        WHERE r.second_payment_id = p.id AND (r.status NOT IN ('closed', 'rejected') OR r.held))`,
  unpaid_and_forgotten: sql`
    SELECT out_trade_no AS subject, out_trade_no AS "outTradeNo" FROM orders
    WHERE ${isUnpaidSql()} AND NOT parked AND expires_at < business_now() - interval '30 minutes'`,
  payments_found_by_asking: sql`
    SELECT 'last hour' AS subject, NULL AS "outTradeNo" FROM orders
    WHERE id IN (SELECT order_id FROM order_events WHERE id > ${hourAgo})
      AND confirmed_at > business_now() - interval '1 hour' AND status IN ('paid', 'refunded')
    HAVING count(*) >= 20 AND count(*) FILTER (WHERE confirmed_by <> 'notification') > count(*) * 0.2`,
})

/** The names of all invariants, for whoever counts them. */
export const invariantNames = [
  ...[...Object.keys(ofOrders), ...Object.keys(ofUsers), ...Object.keys(ofFew(0n))],
  'ledger_differs',
  'deferred_income_differs',
]

/** Unnamed, as what is looked among is small or everything: each is planned for what it is. */
async function find(pool: Pool, invariant: string, statement: Prisma.Sql): Promise<Violation[]> {
  const rows = await execute(pool, query(null, sql`${statement} LIMIT 100`, violationColumns))
  return rows.map((row) => ({ invariant, ...row }))
}

async function findEach(
  pool: Pool,
  statements: readonly (readonly [name: string, statement: Prisma.Sql])[],
): Promise<Violation[]> {
  const found: Violation[] = []
  for (const [name, statement] of statements) found.push(...(await find(pool, name, statement)))
  return found
}

const among = (each: typeof ofOrders, scope: Scope) =>
  Object.entries(each).map(([name, statementOf]) => [name, statementOf(scope)] as const)

/** Looks among these orders for what must never be of one. */
export const checkOrders = (pool: Pool, scope: Scope): Promise<Violation[]> =>
  findEach(pool, among(ofOrders, scope))

/** The same of these users. */
export const checkUsers = (pool: Pool, scope: Scope): Promise<Violation[]> =>
  findEach(pool, among(ofUsers, scope))

/** The last line of the timeline that is an hour old: found from its end, so that it reads one hour of it. */
async function findLineOfAnHourAgo(pool: Pool): Promise<bigint> {
  const [line] = await execute(
    pool,
    query(
      'line-of-an-hour-ago',
      sql`SELECT id FROM order_events WHERE at <= business_now() - interval '1 hour' ORDER BY id DESC LIMIT 1`,
      { id: column.bigint },
    ),
  )
  return line?.id ?? 0n
}

/** Looks for what an index finds wherever it is. */
export const checkFew = async (pool: Pool): Promise<Violation[]> =>
  findEach(pool, Object.entries(ofFew(await findLineOfAnHourAgo(pool))))

export const ledgerViolation = ({ userId }: LedgerDifference): Violation => ({
  invariant: 'ledger_differs',
  subject: userId,
  outTradeNo: null,
})

/** Whether what is kept of deferred income still is what all orders add up to. */
export async function checkIncome(pool: Pool): Promise<Violation[]> {
  const differenceFen = await findIncomeDifference(pool)
  if (differenceFen === 0) return []
  return [{ invariant: 'deferred_income_differs', subject: 'all orders', outTradeNo: null }]
}

/** Looks for everything that must never be, everywhere, however long it takes. */
export async function checkInvariants(pool: Pool): Promise<Violation[]> {
  const found = [
    ...(await checkOrders(pool, everything)),
    ...(await checkFew(pool)),
    ...(await checkUsers(pool, everything)),
    ...(await checkIncome(pool)),
  ]
  const { differences } = await verifyLedger(pool)
  return [...found, ...differences.map(ledgerViolation)]
}
