import type { RefundStatus as OurStatus } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import type { RefundStatus } from '@meridian/payments'
import { returnedTransactionSql } from '../orders/second-payment.ts'
import { fallsOnSql } from './china-day.ts'
import type { MatchedDay } from './find-payment-differences.ts'

const { sql } = Prisma

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
