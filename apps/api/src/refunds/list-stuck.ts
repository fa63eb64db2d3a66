import { Prisma } from '@meridian/db'

const { sql } = Prisma

/** A refund that nobody has finished so long after it was approved does not arrive by itself. */
const overdueAfter = Prisma.raw(`interval '72 hours'`)

const contradictedSql = sql`r.contradicted_by IS NOT NULL AND r.contradiction_decided_at IS NULL`

const sentSql = sql`coalesce(r.submitted_at, r.decided_at, r.created_at)`

/**
 * Refunds that do not go on by themselves, as a relation: of which the platform said two ends; which it cannot pay out;
 * which it refuses; which have been on their way for too long. Each part is found by an index of its few.
 */
export const stuckRefundsSql: Prisma.Sql = sql`(
  SELECT r.out_refund_no, 'contradicted' AS topic, r.amount_fen, r.failure, coalesce(r.contradicted_at, r.created_at) AS since
  FROM refunds r WHERE ${contradictedSql}
  UNION ALL
  SELECT r.out_refund_no, CASE WHEN r.status = 'abnormal' THEN 'abnormal' WHEN r.failure IS NOT NULL THEN 'refused' ELSE 'overdue' END,
    r.amount_fen, r.failure, ${sentSql}
  FROM refunds r WHERE r.status IN ('approved', 'processing', 'abnormal') AND NOT coalesce(${contradictedSql}, FALSE)
    AND (r.status = 'abnormal' OR r.failure IS NOT NULL OR ${sentSql} < business_now() - ${overdueAfter}))`
