import type { RefundStatus as OurStatus } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import type { RefundStatus } from '@meridian/payments'
import { isReturnedSql, returnedTransactionSql } from '../orders/second-payment.ts'
import { fallsOnSql } from '../platform/time/business-time.ts'

const { sql } = Prisma

/** One day's bills and whose they are. */
export type MatchedDay = { date: string; tradeId: bigint; mchId: string }

/** The order `o` counts among the payments of the day that a bill of WeChat Pay shows. What was paid in another system does not. */
export const isPaidOnSql = ({ date, mchId }: Pick<MatchedDay, 'date' | 'mchId'>): Prisma.Sql =>
  sql`(o.paid_at IS NOT NULL AND NOT o.imported AND ${fallsOnSql(sql`o.paid_at`, date)} AND o.channel = 'jsapi' AND o.mch_id = ${mchId})`

export const oursAsOrder = sql`jsonb_build_object('status', o.status, 'amount_fen', o.amount_fen,
  'transaction_id', o.transaction_id, 'paid_at', o.paid_at, 'parked', o.parked)`
const theirsAsRow = sql`jsonb_build_object('status', b.status, 'amount_fen', b.amount_fen, 'traded_at', b.traded_at)`

/** Rows of the bill with their copy number: a payment stands in a bill once. */
const rowsOf = (tradeId: bigint, kind: 'payment' | 'other'): Prisma.Sql => sql`(
  SELECT *, row_number() OVER (PARTITION BY transaction_id ORDER BY line) AS copy
  FROM bill_rows WHERE bill_id = ${tradeId} AND kind = ${kind}) b`

/** The order that a row of the bill pays: by its number, or, where an imported one could not keep that, by its transaction. */
const orderOfRow = sql`orders o ON o.id = coalesce((SELECT id FROM orders WHERE out_trade_no = b.out_trade_no),
  (SELECT id FROM orders WHERE transaction_id = b.transaction_id AND imported))`

/** The row is the payment of an order that was sold in another system under our merchant, and imported. */
const isImported = sql`(o.imported AND b.copy = 1 AND o.amount_fen = b.amount_fen
  AND coalesce(o.transaction_id, b.transaction_id) = b.transaction_id)`

/** Payments of the bill that are not exactly an order of ours paid that day. */
export function differingPaymentsSql(day: MatchedDay): Prisma.Sql {
  const stranger = sql`(o.id IS NULL OR b.copy > 1 OR o.transaction_id <> b.transaction_id)`
  const counted = sql`(b.copy = 1 AND o.transaction_id = b.transaction_id AND ${isPaidOnSql(day)})`
  return sql`
    SELECT CASE WHEN ${stranger} OR ${isImported} THEN 'theirs_only' WHEN o.amount_fen <> b.amount_fen THEN 'amount'
        WHEN o.transaction_id IS NULL THEN 'status' ELSE 'theirs_only' END AS kind,
      CASE WHEN b.copy > 1 THEN b.transaction_id || ' #' || b.copy ELSE b.transaction_id END AS subject,
      b.out_trade_no, b.transaction_id, NULL AS out_refund_no,
      CASE WHEN o.id IS NOT NULL THEN ${oursAsOrder} END AS ours, ${theirsAsRow} AS theirs,
      CASE WHEN o.id IS NULL THEN 'find_order' WHEN b.copy > 1 THEN 'ask_platform' WHEN ${isImported} THEN 'none'
        WHEN o.transaction_id <> b.transaction_id THEN 'refund_second_payment'
        WHEN o.amount_fen <> b.amount_fen THEN 'check_amount'
        WHEN o.transaction_id IS NULL THEN 'check_terms' ELSE 'none' END AS suggested_action,
      b.amount_fen - CASE WHEN ${counted} THEN o.amount_fen ELSE 0 END AS bill_gap_fen, 0 AS ledger_gap_fen,
      CASE WHEN ${isImported} THEN 'imported_order'
        WHEN NOT ${stranger} AND o.transaction_id IS NOT NULL AND o.amount_fen = b.amount_fen
        THEN 'paid_on_another_day'
        WHEN b.copy = 1 AND ${isReturnedSql(sql`b.transaction_id`)} THEN 'second_payment_refunded' END AS resolution
    FROM ${rowsOf(day.tradeId, 'payment')} LEFT JOIN ${orderOfRow}
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

/**
 * Orders paid that day which gave no days: late and sent back, or waiting for somebody to decide. `isPaidOn` says which
 * orders `o` count among the day's payments.
 */
export const ungrantedOrdersSql = (isPaidOn: Prisma.Sql): Prisma.Sql => sql`
  SELECT 'status' AS kind, o.out_trade_no AS subject, o.out_trade_no, o.transaction_id, NULL AS out_refund_no,
    ${oursAsOrder} AS ours, NULL::jsonb AS theirs, 'decide_parked' AS suggested_action,
    0 AS bill_gap_fen, o.amount_fen AS ledger_gap_fen,
    CASE WHEN NOT o.parked AND o.refund_reserved_fen > 0 THEN 'late_and_refunded' END AS resolution
  FROM orders o
  WHERE ${isPaidOn} AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase')`

/**
 * Which of our statuses go with what the bill says of a refund. The bill is of yesterday: what was still on its way
 * then may have ended since.
 */
const agreeing: Readonly<Record<RefundStatus, readonly OurStatus[]>> = {
  succeeded: ['succeeded'],
  closed: ['closed'],
  processing: ['approved', 'processing', 'abnormal', 'succeeded', 'closed'],
  abnormal: ['abnormal', 'processing', 'succeeded', 'closed'],
}

const oursAsRefund = sql`jsonb_build_object('status', f.status, 'amount_fen', f.amount_fen, 'succeeded_at', f.succeeded_at)`

/** Refunds of the bill that are not exactly a refund of ours. */
export const differingRefundsSql = ({ tradeId }: MatchedDay): Prisma.Sql => sql`
  SELECT 'refund' AS kind, b.out_refund_no || CASE WHEN b.copy > 1 THEN ' #' || b.copy ELSE '' END AS subject,
    b.out_trade_no, b.transaction_id, b.out_refund_no, CASE WHEN f.id IS NOT NULL THEN ${oursAsRefund} END AS ours,
    jsonb_build_object('status', b.status, 'amount_fen', b.amount_fen, 'refund_id', b.refund_id, 'traded_at', b.traded_at) AS theirs,
    CASE WHEN f.id IS NULL THEN 'record_external_refund' WHEN b.copy > 1 THEN 'ask_platform'
      WHEN f.amount_fen <> b.amount_fen OR ${returnedTransactionSql(sql`f`)} IS DISTINCT FROM b.transaction_id THEN 'check_amount'
      ELSE 'follow_refund' END AS suggested_action,
    0 AS bill_gap_fen, 0 AS ledger_gap_fen, NULL AS resolution
  FROM (SELECT *, row_number() OVER (PARTITION BY out_refund_no ORDER BY line) AS copy
        FROM bill_rows WHERE bill_id = ${tradeId} AND kind = 'refund') b
    LEFT JOIN refunds f ON f.out_refund_no = b.out_refund_no LEFT JOIN orders o ON o.id = f.order_id
  WHERE (b.copy = 1 AND f.amount_fen = b.amount_fen AND ${returnedTransactionSql(sql`f`)} = b.transaction_id
    AND ${JSON.stringify(agreeing)}::jsonb -> b.status @> to_jsonb(f.status::text)) IS NOT TRUE`

/** Refunds that the platform took that day and that no bill shows. */
export const unbilledRefundsSql = ({ date, mchId }: MatchedDay): Prisma.Sql => sql`
  SELECT 'refund' AS kind, f.out_refund_no AS subject, o.out_trade_no, ${returnedTransactionSql(sql`f`)} AS transaction_id, f.out_refund_no,
    ${oursAsRefund} AS ours, NULL::jsonb AS theirs, 'follow_refund' AS suggested_action,
    0 AS bill_gap_fen, 0 AS ledger_gap_fen, NULL AS resolution
  FROM refunds f JOIN orders o ON o.id = f.order_id
  WHERE f.status IN ('processing', 'succeeded', 'abnormal') AND o.mch_id = ${mchId}
    AND ${fallsOnSql(sql`coalesce(f.submitted_at, f.succeeded_at)`, date)}
    AND NOT EXISTS (SELECT 1 FROM bill_rows b WHERE b.out_refund_no = f.out_refund_no)`

/** Amounts of different bills are compared to the fen: the trade bill writes fees finer than money moves. */
const FEN = 1000

/** Payments of the trade bill, all rows of one together, with what the fund-flow bills booked for them. */
const bookedPayments = (tradeId: bigint): Prisma.Sql => sql`(
  SELECT p.*, f.booked_fen, f.fee_fen,
    CASE WHEN p.rate ~ '^[0-9]+([.][0-9]+)?%$' THEN p.settled_fen * rtrim(p.rate, '%')::numeric / 100 * ${FEN} END AS due
  FROM (
    SELECT transaction_id, min(out_trade_no) AS out_trade_no, min(rate) AS rate, sum(settled_fen) AS settled_fen,
      sum(fee_hundred_thousandths) AS fee_hundred_thousandths
    FROM bill_rows WHERE bill_id = ${tradeId} AND kind = 'payment' GROUP BY transaction_id) p,
  LATERAL (
    SELECT sum(amount_fen) FILTER (WHERE incoming) AS booked_fen,
      coalesce(sum(amount_fen) FILTER (WHERE NOT incoming AND (purpose LIKE '%手续费%' OR business_type LIKE '%手续费%')), 0) AS fee_fen
    FROM bill_flows WHERE business_no = p.transaction_id) f) b`

/** Payments whose money was booked otherwise than the trade bill says, or not at all. */
export const misbookedPaymentsSql = (tradeId: bigint): Prisma.Sql => sql`
  SELECT 'amount' AS kind, b.transaction_id || ' booked' AS subject, b.out_trade_no, b.transaction_id, NULL AS out_refund_no,
    NULL::jsonb AS ours, jsonb_build_object('settled_fen', b.settled_fen, 'booked_fen', b.booked_fen) AS theirs,
    'ask_platform' AS suggested_action, 0 AS bill_gap_fen, 0 AS ledger_gap_fen, NULL AS resolution
  FROM ${bookedPayments(tradeId)} WHERE b.settled_fen IS DISTINCT FROM b.booked_fen`

/** Payments whose fee is not what its rate makes it, or was taken otherwise than the trade bill says. */
export const differingFeesSql = (tradeId: bigint): Prisma.Sql => sql`
  SELECT 'fee' AS kind, b.transaction_id AS subject, b.out_trade_no, b.transaction_id, NULL AS out_refund_no,
    NULL::jsonb AS ours,
    jsonb_build_object('fee_hundred_thousandths', b.fee_hundred_thousandths, 'rate', b.rate, 'taken_fen', b.fee_fen) AS theirs,
    'ask_platform' AS suggested_action, 0 AS bill_gap_fen, 0 AS ledger_gap_fen, NULL AS resolution
  FROM ${bookedPayments(tradeId)}
  WHERE (b.booked_fen IS NOT NULL AND abs(b.fee_fen * ${FEN} - b.fee_hundred_thousandths) >= ${FEN})
    OR abs(b.due - b.fee_hundred_thousandths) >= ${FEN}`
