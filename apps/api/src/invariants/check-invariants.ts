import { column, execute, nullable, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { parkOrder } from '../orders/park-order.ts'
import { isUnpaidSql } from '../orders/read-orders.ts'
import { verifyLedger } from '../subscriptions/verify-ledger.ts'

const { sql } = Prisma

const violationColumns = { subject: column.text, outTradeNo: nullable(column.text) }
/** Something that must never be, found. `outTradeNo` where one order is to blame. */
type Violation = { invariant: string } & RowOf<typeof violationColumns>

/** Each answers the rows that break it, as subject and outTradeNo. */
const invariants: Readonly<Record<string, Prisma.Sql>> = {
  paid_without_grant: sql`
    SELECT o.out_trade_no AS subject, o.out_trade_no AS "outTradeNo" FROM orders o
    WHERE o.status IN ('paid', 'refunded') AND NOT o.parked
      AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase')
      AND NOT (o.late AND EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.id AND r.second_payment_id IS NULL))`,
  grant_without_paid_order: sql`
    SELECT o.out_trade_no AS subject, o.out_trade_no AS "outTradeNo" FROM grants g JOIN orders o ON o.id = g.order_id
    WHERE g.kind = 'purchase' AND o.status NOT IN ('paid', 'refunded')`,
  refunded_more_than_paid: sql`
    SELECT o.out_trade_no AS subject, o.out_trade_no AS "outTradeNo" FROM orders o
    JOIN (SELECT order_id, sum(amount_fen) FILTER (WHERE status = 'succeeded') AS fen FROM refunds WHERE second_payment_id IS NULL GROUP BY order_id) r ON r.order_id = o.id
    WHERE coalesce(r.fen, 0) <> o.refunded_fen OR o.refunded_fen > o.amount_fen`,
  second_payment_overdrawn: sql`
    SELECT p.transaction_id AS subject, o.out_trade_no AS "outTradeNo" FROM second_payments p JOIN orders o ON o.id = p.order_id
    WHERE o.paid_at IS NULL
      OR EXISTS (SELECT 1 FROM orders paid WHERE paid.transaction_id = p.transaction_id OR paid.paid_attempt_no = p.transaction_id)
      OR p.amount_fen < (SELECT coalesce(sum(r.amount_fen), 0) FROM refunds r
        WHERE r.second_payment_id = p.id AND (r.status NOT IN ('closed', 'rejected') OR r.held))`,
  attempt_differs_from_order: sql`
    SELECT o.out_trade_no AS subject, o.out_trade_no AS "outTradeNo" FROM orders o
    WHERE o.paid_attempt_no IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM order_attempts a WHERE a.number = o.paid_attempt_no AND a.order_id = o.id AND a.state = 'paid')
    UNION ALL
    SELECT o.out_trade_no, o.out_trade_no FROM order_attempts a JOIN orders o ON o.id = a.order_id
    WHERE a.state = 'paid' AND o.paid_attempt_no IS DISTINCT FROM a.number`,
  two_owners_of_one_device: sql`
    SELECT serial_number AS subject, NULL AS "outTradeNo" FROM bindings WHERE unbound_at IS NULL
    GROUP BY serial_number HAVING count(*) > 1`,
  unpaid_and_forgotten: sql`
    SELECT out_trade_no AS subject, out_trade_no AS "outTradeNo" FROM orders
    WHERE ${isUnpaidSql()} AND NOT parked AND expires_at < business_now() - interval '30 minutes'`,
  payments_found_by_asking: sql`
    SELECT 'last hour' AS subject, NULL AS "outTradeNo" FROM orders
    WHERE confirmed_at > business_now() - interval '1 hour' AND status IN ('paid', 'refunded')
    HAVING count(*) >= 20 AND count(*) FILTER (WHERE confirmed_by <> 'notification') > count(*) * 0.2`,
}

/** The names of all invariants, for whoever counts them. */
export const invariantNames = [...Object.keys(invariants), 'ledger_differs']

/**
 * Looks for everything that must never be. `ledgerSince` limits the costly recomputation to subscriptions that got a
 * grant since then; without it every one is recomputed.
 */
export async function checkInvariants(
  pool: Pool,
  { ledgerSince }: { ledgerSince?: Date } = {},
): Promise<Violation[]> {
  const found: Violation[] = []
  for (const [invariant, statement] of Object.entries(invariants)) {
    const rows = await execute(
      pool,
      query(`invariant-${invariant}`, sql`${statement} LIMIT 100`, violationColumns),
    )
    found.push(...rows.map((row) => ({ invariant, ...row })))
  }
  const { differences } = await verifyLedger(pool, ledgerSince ? { since: ledgerSince } : {})
  found.push(
    ...differences.map(({ userId }) => ({ invariant: 'ledger_differs', subject: userId, outTradeNo: null })),
  )
  return found
}

const lookBackMs = 3_600_000

/** Looks, raises an alert for each violation, and parks the order that is to blame: nothing automatic until somebody looks. */
export async function guardInvariants(pool: Pool, now: Date): Promise<Violation[]> {
  const violations = await checkInvariants(pool, { ledgerSince: new Date(now.getTime() - lookBackMs) })
  for (const { invariant, subject, outTradeNo } of violations) {
    await execute(
      pool,
      query('raise-invariant', raiseAlertSql('invariant_violated', `${invariant} ${subject}`, { invariant })),
    )
    if (outTradeNo)
      await parkOrder(pool, { outTradeNo, reason: invariant, trace: { channel: 'job', requestId: null } })
  }
  return violations
}
