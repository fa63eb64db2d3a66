import type { RefundDetail } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { DomainError } from '../domain-error.ts'
import { refundColumns } from './list-refunds.ts'

/**
 * One refund, for the operator who looks at it.
 * @throws DomainError not_found
 */
export async function showRefund(
  pool: Pool,
  { outRefundNo, operatorId }: { outRefundNo: string; operatorId: string },
): Promise<RefundDetail> {
  const [refund] = await run<RefundDetail>(
    pool,
    'show-refund',
    Prisma.sql`
      SELECT ${refundColumns}, r.note, o.status AS "orderStatus", o.amount_fen AS "orderAmountFen",
        o.refunded_fen AS "orderRefundedFen", o.plan_name AS "planName", r.platform_refund_id AS "platformRefundId",
        r.decided_at AS "decidedAt", r.submitted_at AS "submittedAt",
        (SELECT coalesce(-sum(g.days), 0)::int FROM grants g WHERE g.refund_id = r.id) AS "daysTaken",
        coalesce(r.requested_by = ${operatorId}::uuid, false) AS "isOwn"
      FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.out_refund_no = ${outRefundNo}`,
  )
  if (!refund) throw new DomainError('not_found')
  return refund
}
