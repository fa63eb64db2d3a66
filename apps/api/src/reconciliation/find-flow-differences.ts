import { Prisma } from '@meridian/db'

const { sql } = Prisma

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
