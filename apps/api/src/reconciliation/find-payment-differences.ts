import { Prisma } from '@meridian/db'
import { isReturnedSql } from '../orders/second-payment.ts'
import { fallsOnSql } from './china-day.ts'

const { sql } = Prisma

/** One day's bills and whose they are. */
export type MatchedDay = { date: string; tradeId: bigint; mchId: string }

/** The order `o` counts among the payments of the day. */
export const isPaidOnSql = ({ date, mchId }: Pick<MatchedDay, 'date' | 'mchId'>): Prisma.Sql =>
  sql`(o.paid_at IS NOT NULL AND ${fallsOnSql(sql`o.paid_at`, date)} AND o.mch_id = ${mchId})`

const oursAsOrder = sql`jsonb_build_object('status', o.status, 'amount_fen', o.amount_fen,
  'transaction_id', o.transaction_id, 'paid_at', o.paid_at, 'parked', o.parked)`
const theirsAsRow = sql`jsonb_build_object('status', b.status, 'amount_fen', b.amount_fen, 'traded_at', b.traded_at)`

/** Rows of the bill with their copy number: a payment stands in a bill once. */
const rowsOf = (tradeId: bigint, kind: 'payment' | 'other'): Prisma.Sql => sql`(
  SELECT *, row_number() OVER (PARTITION BY transaction_id ORDER BY line) AS copy
  FROM bill_rows WHERE bill_id = ${tradeId} AND kind = ${kind}) b`

/** Payments of the bill that are not exactly an order of ours paid that day. */
export function differingPaymentsSql(day: MatchedDay): Prisma.Sql {
  const stranger = sql`(o.id IS NULL OR b.copy > 1 OR o.transaction_id <> b.transaction_id)`
  const counted = sql`(b.copy = 1 AND o.transaction_id = b.transaction_id AND ${isPaidOnSql(day)})`
  return sql`
    SELECT CASE WHEN ${stranger} THEN 'theirs_only' WHEN o.amount_fen <> b.amount_fen THEN 'amount'
        WHEN o.transaction_id IS NULL THEN 'status' ELSE 'theirs_only' END AS kind,
      CASE WHEN b.copy > 1 THEN b.transaction_id || ' #' || b.copy ELSE b.transaction_id END AS subject,
      b.out_trade_no, b.transaction_id, NULL AS out_refund_no,
      CASE WHEN o.id IS NOT NULL THEN ${oursAsOrder} END AS ours, ${theirsAsRow} AS theirs,
      CASE WHEN o.id IS NULL THEN 'find_order' WHEN b.copy > 1 THEN 'ask_platform'
        WHEN o.transaction_id <> b.transaction_id THEN 'refund_second_payment'
        WHEN o.amount_fen <> b.amount_fen THEN 'check_amount'
        WHEN o.transaction_id IS NULL THEN 'check_terms' ELSE 'none' END AS suggested_action,
      b.amount_fen - CASE WHEN ${counted} THEN o.amount_fen ELSE 0 END AS bill_gap_fen, 0 AS ledger_gap_fen,
      CASE WHEN NOT ${stranger} AND o.transaction_id IS NOT NULL AND o.amount_fen = b.amount_fen
        THEN 'paid_on_another_day'
        WHEN b.copy = 1 AND ${isReturnedSql(sql`b.transaction_id`)} THEN 'second_payment_refunded' END AS resolution
    FROM ${rowsOf(day.tradeId, 'payment')} LEFT JOIN orders o ON o.out_trade_no = b.out_trade_no
    WHERE (${counted} AND o.amount_fen = b.amount_fen) IS NOT TRUE`
}

/** Payments that nobody told us of until the bill did: they have taken the paid road, and that explains them. */
export const settledPaymentsSql = ({ tradeId }: MatchedDay): Prisma.Sql => sql`
  SELECT 'theirs_only' AS kind, b.transaction_id AS subject, b.out_trade_no, b.transaction_id, NULL AS out_refund_no,
    ${oursAsOrder} AS ours, ${theirsAsRow} AS theirs, 'none' AS suggested_action,
    0 AS bill_gap_fen, 0 AS ledger_gap_fen, 'paid_from_bill' AS resolution
  FROM bill_rows b JOIN orders o ON o.transaction_id = b.transaction_id
  WHERE b.bill_id = ${tradeId} AND b.kind = 'payment' AND o.confirmed_by = 'bill'`

/** Orders paid that day which the bill does not know. */
export const unbilledOrdersSql = (day: MatchedDay): Prisma.Sql => sql`
  SELECT 'ours_only' AS kind, o.transaction_id AS subject, o.out_trade_no, o.transaction_id, NULL AS out_refund_no,
    ${oursAsOrder} AS ours, NULL::jsonb AS theirs, 'ask_platform' AS suggested_action,
    -o.amount_fen AS bill_gap_fen, 0 AS ledger_gap_fen,
    CASE WHEN EXISTS (SELECT 1 FROM bill_rows e
      WHERE e.transaction_id = o.transaction_id AND e.kind = 'payment' AND e.bill_id <> ${day.tradeId})
      THEN 'in_another_bill' END AS resolution
  FROM orders o
  WHERE ${isPaidOnSql(day)} AND NOT EXISTS (SELECT 1 FROM bill_rows b
    WHERE b.bill_id = ${day.tradeId} AND b.transaction_id = o.transaction_id AND b.kind <> 'refund')`

/** Orders paid here which the bill shows as neither paid nor refunded: revoked, or a state we do not know. */
export const revokedPaymentsSql = (day: MatchedDay): Prisma.Sql => sql`
  SELECT 'status' AS kind, b.transaction_id AS subject, b.out_trade_no, b.transaction_id, NULL AS out_refund_no,
    ${oursAsOrder} AS ours, ${theirsAsRow} AS theirs, 'ask_platform' AS suggested_action,
    CASE WHEN ${isPaidOnSql(day)} AND b.copy = 1 AND NOT EXISTS (SELECT 1 FROM bill_rows p
      WHERE p.bill_id = ${day.tradeId} AND p.transaction_id = b.transaction_id AND p.kind = 'payment')
      THEN -o.amount_fen ELSE 0 END AS bill_gap_fen, 0 AS ledger_gap_fen, NULL AS resolution
  FROM ${rowsOf(day.tradeId, 'other')} JOIN orders o ON o.transaction_id = b.transaction_id`

/** Orders paid that day which gave no days: late and sent back, or waiting for somebody to decide. */
export const ungrantedOrdersSql = (day: MatchedDay): Prisma.Sql => sql`
  SELECT 'status' AS kind, o.out_trade_no AS subject, o.out_trade_no, o.transaction_id, NULL AS out_refund_no,
    ${oursAsOrder} AS ours, NULL::jsonb AS theirs, 'decide_parked' AS suggested_action,
    0 AS bill_gap_fen, o.amount_fen AS ledger_gap_fen,
    CASE WHEN NOT o.parked AND o.refund_reserved_fen > 0 THEN 'late_and_refunded' END AS resolution
  FROM orders o
  WHERE ${isPaidOnSql(day)} AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase')`
