import type { ApprovalObstacle } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { settleAlertSql } from '../alerts/resolve-alert.ts'
import { approvalObstacleSql, refuseObstacle } from '../approvals/eligibility.ts'
import { appendAuditSql, type RequestMeta } from '../audit/write-audit.ts'
import { enqueueJobSql } from '../jobs/enqueue-job.ts'
import { appendEventsSql } from '../orders/append-event.ts'
import { unparkOrderSql } from '../orders/unpark-order.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { moveRefundSql } from './move-refund.ts'
import { refundOrderSql, trackKeySql, trackPayloadSql } from './request-refund.ts'

const { sql } = Prisma

type Decision = { outRefundNo: string; operatorId: string; approve: boolean; from?: RequestMeta }

const nowhere: RequestMeta = { address: '', userAgent: '', requestId: '' }

type Requested = {
  obstacle: ApprovalObstacle | null
  isOwn: boolean
  outTradeNo: string
  /** Whether the order waits, parked, for what becomes of a late payment, and this returns that payment. */
  isLate: boolean
}

async function getRequested(pool: Pool, { outRefundNo, operatorId }: Decision): Promise<Requested> {
  const obstacle = approvalObstacleSql({
    approver: sql`${operatorId}::uuid`,
    requester: sql`r.requested_by`,
    askedAt: sql`r.created_at`,
  })
  const [requested] = await run<Requested>(
    pool,
    'find-requested-refund',
    sql`
      SELECT ${obstacle} AS obstacle, coalesce(r.requested_by = ${operatorId}::uuid, false) AS "isOwn",
        o.out_trade_no AS "outTradeNo", o.parked AND o.park_reason = 'late_payment' AND r.second_payment_id IS NULL AS "isLate"
      FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE r.out_refund_no = ${outRefundNo} AND r.status = 'requested'`,
  )
  if (!requested) throw new DomainError('changed_meanwhile')
  return requested
}

/** The approved refund of a late payment decides about its order: it is parked no more, and its alert is settled. */
const lateOrderParts = (outTradeNo: string, operatorId: string): Prisma.Sql => sql`
  ${unparkOrderSql({ outTradeNo, parkReason: 'late_payment', condition: sql`EXISTS (SELECT 1 FROM refund)` })},
  settled AS (${settleAlertSql('order_parked', sql`unparked`, { operatorId, resolution: 'refund: approved' })}),`

const actionOf = ({ approve }: Decision, { isOwn }: Requested) =>
  approve ? 'refund.approve' : isOwn ? 'refund.withdraw' : 'refund.reject'

/**
 * The second person decides; whoever asked may only take it back. The database holds the same rule.
 * @throws DomainError account_too_new, second_person_required for who may not approve it; changed_meanwhile when there
 *   is nothing to decide
 */
export async function decideRequest(pool: Pool, decision: Decision): Promise<void> {
  const requested = await getRequested(pool, decision)
  const { outRefundNo, operatorId, approve, from = nowhere } = decision
  if (approve) refuseObstacle(requested.obstacle)
  const { outTradeNo, isLate } = requested
  const changes = sql`decided_at = business_now(), approved_by = ${approve ? operatorId : null}::uuid`
  const followUp = approve ? enqueueJobSql('track_refund', trackPayloadSql, { key: trackKeySql }) : sql`NULL`
  const act = {
    operatorId,
    action: actionOf(decision, requested),
    subject: { type: 'refund', id: outRefundNo },
  }
  const trace = { channel: 'console', requestId: from.requestId || null, operatorId } as const
  const detail = sql`jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen)`
  const kind = approve ? 'refund_approved' : 'refund_rejected'
  const rows = await run(
    pool,
    approve ? (isLate ? 'approve-late-refund' : 'approve-refund') : 'reject-refund',
    sql`
      WITH ${moveRefundSql(outRefundNo, approve ? 'approve' : 'reject', changes)},
        ${approve && isLate ? lateOrderParts(outTradeNo, operatorId) : Prisma.empty}
        recorded AS (${appendEventsSql(refundOrderSql(sql`refund`), { kind, trace, detail })}),
        audited AS (${appendAuditSql(sql`refund`, act, from)})
      SELECT ${followUp} AS job FROM refund`,
  )
  if (rows.length === 0) throw new DomainError('changed_meanwhile')
}
