import { Prisma } from '@meridian/db'

const { sql } = Prisma

/**
 * The one writer of differences, as an insert: `found` is a relation with kind, subject, the three numbers, ours,
 * theirs, suggested_action, bill_gap_fen, ledger_gap_fen and resolution (null: a person must look). What was found
 * before is not found again: it is only brought up to date, and what a person resolved stays resolved. Of a closed
 * day nothing changes any more; what is new comes as an adjustment. Answers `added`.
 */
export const recordDifferencesSql = (date: string, found: Prisma.Sql): Prisma.Sql => sql`
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
