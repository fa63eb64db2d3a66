import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import {
  differingFeesSql,
  differingPaymentsSql,
  differingRefundsSql,
  isPaidOnSql,
  type MatchedDay,
  misbookedPaymentsSql,
  revokedPaymentsSql,
  settledPaymentsSql,
  unbilledOrdersSql,
  unbilledRefundsSql,
  ungrantedOrdersSql,
} from './find-differences.ts'

const { sql } = Prisma

/**
 * The one writer of differences, as an insert: `found` is a relation with kind, subject, the three numbers, ours,
 * theirs, suggested_action, bill_gap_fen, ledger_gap_fen and resolution (null: a person must look). What was found
 * before is not found again: it is only brought up to date, and what a person resolved stays resolved. Of a closed
 * day nothing changes any more; what is new comes as an adjustment. Answers `added`.
 */
const recordDifferencesSql = (date: string, found: Prisma.Sql): Prisma.Sql => sql`
  INSERT INTO reconciliation_differences AS known (date, kind, subject, out_trade_no, transaction_id, out_refund_no,
    ours, theirs, suggested_action, bill_gap_fen, ledger_gap_fen, resolution, state, resolved_at, adjustment)
  SELECT DISTINCT ON (kind, subject) d.date, kind::difference_kind, subject, out_trade_no, transaction_id, out_refund_no,
    ours, theirs, suggested_action, bill_gap_fen, ledger_gap_fen, resolution,
    (CASE WHEN resolution IS NULL THEN 'open' ELSE 'resolved' END)::difference_state,
    CASE WHEN resolution IS NOT NULL THEN business_now() END, d.state = 'closed'
  FROM (${found}) found, reconciliation_days d WHERE d.date = ${date}::date
  ORDER BY kind, subject
  ON CONFLICT (date, kind, subject) DO UPDATE SET
    seen_at = business_now(), ours = excluded.ours, theirs = excluded.theirs,
    bill_gap_fen = excluded.bill_gap_fen, ledger_gap_fen = excluded.ledger_gap_fen,
    resolution = CASE WHEN known.resolved_by IS NULL THEN excluded.resolution ELSE known.resolution END,
    state = CASE WHEN known.resolved_by IS NULL THEN excluded.state ELSE known.state END,
    resolved_at = CASE WHEN known.resolved_by IS NULL THEN excluded.resolved_at ELSE known.resolved_at END
  WHERE NOT excluded.adjustment
  RETURNING xmax = 0 AS added, state = 'open' AS open`

/** What is compared, one statement each. */
const comparisons: Readonly<Record<string, (day: MatchedDay) => Prisma.Sql>> = {
  settlements: settledPaymentsSql,
  payments: differingPaymentsSql,
  'unbilled-orders': unbilledOrdersSql,
  revocations: revokedPaymentsSql,
  'ungranted-orders': ungrantedOrdersSql,
  refunds: differingRefundsSql,
  'unbilled-refunds': unbilledRefundsSql,
  bookings: ({ tradeId }) => misbookedPaymentsSql(tradeId),
  fees: ({ tradeId }) => differingFeesSql(tradeId),
}

export const openDaySql = (date: string): Prisma.Sql =>
  sql`INSERT INTO reconciliation_days (date) VALUES (${date}::date) ON CONFLICT DO NOTHING`

/** The day under its lock, so that nobody closes it meanwhile. */
async function isClosed(client: PoolClient, date: string): Promise<boolean> {
  const [day] = await execute(
    client,
    query(
      'lock-reconciliation-day',
      sql`SELECT state = 'closed' AS closed FROM reconciliation_days WHERE date = ${date}::date FOR UPDATE`,
      { closed: column.boolean },
    ),
  )
  return day?.closed ?? false
}

async function recordAll(client: PoolClient, day: MatchedDay): Promise<number> {
  let added = 0
  for (const [name, find] of Object.entries(comparisons)) {
    const statement = recordDifferencesSql(day.date, find(day))
    const rows = await execute(
      client,
      query(`match-${name}`, statement, { added: column.boolean, open: column.boolean }),
    )
    added += rows.filter((row) => row.added && row.open).length
  }
  return added
}

/** Differences of this day that were not found this time have ended by themselves. `business_now()` is this transaction's. */
const endedDifferences = (date: string): Prisma.Sql => sql`
  UPDATE reconciliation_differences SET bill_gap_fen = 0, ledger_gap_fen = 0, state = 'resolved',
    resolution = coalesce(resolution, 'no_longer_found'), resolved_at = coalesce(resolved_at, business_now())
  WHERE date = ${date}::date AND seen_at < business_now()::timestamptz(3)`

/** What other days missed and this bill shows: the platform booked it on the other side of midnight. */
const explainedElsewhere = ({ date, tradeId }: MatchedDay): Prisma.Sql => sql`
  UPDATE reconciliation_differences d SET state = 'resolved', resolution = 'in_another_bill', resolved_at = business_now()
  WHERE d.state = 'open' AND d.date <> ${date}::date AND d.theirs IS NULL AND (
    (d.kind = 'ours_only' AND d.transaction_id IN (
      SELECT transaction_id FROM bill_rows WHERE bill_id = ${tradeId} AND kind = 'payment'))
    OR (d.kind = 'refund' AND d.out_refund_no IN (
      SELECT out_refund_no FROM bill_rows WHERE bill_id = ${tradeId} AND kind = 'refund')))`

/** The three sums: what orders say was paid that day, what the ledger gave days for, what the bill says. */
const summedDay = (day: MatchedDay): Prisma.Sql => sql`
  UPDATE reconciliation_days SET state = 'matched', matched_at = business_now(),
    order_fen = ours.order_fen, ledger_fen = ours.ledger_fen, bill_fen = theirs.bill_fen
  FROM (
      SELECT coalesce(sum(o.amount_fen), 0) AS order_fen, coalesce(sum(o.amount_fen) FILTER (WHERE EXISTS (
        SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase')), 0) AS ledger_fen
      FROM orders o WHERE ${isPaidOnSql(day)}) ours,
    (SELECT coalesce(sum(amount_fen), 0) AS bill_fen FROM bill_rows
      WHERE bill_id = ${day.tradeId} AND kind = 'payment') theirs
  WHERE date = ${day.date}::date`

export type MatchVerdict = { state: 'matched' | 'closed'; added: number }

/**
 * Compares the kept bills of a day with orders, ledger and refunds; each difference becomes a work item, once. A
 * closed day keeps its figures. Answers how many new items wait for somebody.
 */
export async function matchBill(pool: Pool, day: MatchedDay): Promise<MatchVerdict> {
  return inTransaction(pool, async (client) => {
    const closed = await isClosed(client, day.date)
    const added = await recordAll(client, day)
    await execute(client, query('explain-differences', explainedElsewhere(day)))
    if (!closed) {
      await execute(client, query('end-differences', endedDifferences(day.date)))
      await execute(client, query('sum-reconciliation-day', summedDay(day)))
    }
    if (added > 0)
      await execute(client, query('raise-alert', raiseAlertSql('bill_differences', day.date, { added })))
    return { state: closed ? 'closed' : 'matched', added }
  })
}
