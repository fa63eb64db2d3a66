import { ApprovalObstacle } from '@meridian/contracts'
import {
  column,
  execute,
  nullable,
  oneOf,
  type Pool,
  Prisma,
  query,
  type RowOf,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import { settleAlertPart } from '../alerts/write-alert.ts'
import { approvalObstacleSql, refuseObstacle } from '../approvals/eligibility.ts'
import { appendAuditPart, type RequestMeta } from '../audit/write-audit.ts'
import { enqueueJobPart } from '../jobs/job-table.ts'
import { appendEventsPart } from '../orders/append-event.ts'
import { unparkOrderParts } from '../orders/park-order.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { moveRefundPart } from './move-refund.ts'
import { movedRefundOrder, trackJob } from './request-refund.ts'

const { sql } = Prisma

type Decision = { outRefundNo: string; operatorId: string; approve: boolean; from?: RequestMeta }

const nowhere: RequestMeta = { address: '', userAgent: '', requestId: '' }

const requestedColumns = {
  obstacle: nullable(oneOf(ApprovalObstacle.options)),
  isOwn: column.boolean,
  outTradeNo: column.text,
  /** Whether the order waits, parked, for what becomes of a late payment, and this returns that payment. */
  isLate: column.boolean,
}
type Requested = RowOf<typeof requestedColumns>

async function getRequested(pool: Pool, { outRefundNo, operatorId }: Decision): Promise<Requested> {
  const obstacle = approvalObstacleSql({
    approver: sql`${operatorId}::uuid`,
    requester: sql`r.requested_by`,
    askedAt: sql`r.created_at`,
  })
  const [requested] = await execute(
    pool,
    query(
      'find-requested-refund',
      sql`
      SELECT ${obstacle} AS obstacle, coalesce(r.requested_by = ${operatorId}::uuid, false) AS "isOwn",
        o.out_trade_no AS "outTradeNo", o.parked AND o.park_reason = 'late_payment' AND r.second_payment_id IS NULL AS "isLate"
      FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE r.out_refund_no = ${outRefundNo} AND r.status = 'requested'`,
      requestedColumns,
    ),
  )
  if (!requested) throw new DomainError('changed_meanwhile')
  return requested
}

/** The approved refund of a late payment decides about its order: it is parked no more, and its alert is settled. */
const lateOrderParts = (outTradeNo: string, operatorId: string) =>
  [
    ...unparkOrderParts({
      outTradeNo,
      parkReason: 'late_payment',
      condition: reading(['refund'], sql`EXISTS (SELECT 1 FROM refund)`),
    }),
    settleAlertPart('order_parked', rowsOf('unparked'), { operatorId, resolution: 'refund: approved' }),
  ] as const

const actionOf = ({ approve }: Decision, { isOwn }: Pick<Requested, 'isOwn'>) =>
  approve ? 'refund.approve' : isOwn ? 'refund.withdraw' : 'refund.reject'

export function decideRequestStatement(
  decision: Decision,
  requested: Pick<Requested, 'isOwn' | 'isLate' | 'outTradeNo'>,
) {
  const { outRefundNo, operatorId, approve, from = nowhere } = decision
  const { outTradeNo, isLate } = requested
  const changes = sql`decided_at = business_now(), approved_by = ${approve ? operatorId : null}::uuid`
  const entry = {
    operatorId,
    action: actionOf(decision, requested),
    subject: { type: 'refund', id: outRefundNo },
  }
  const trace = { channel: 'console', requestId: from.requestId || null, operatorId } as const
  const detail = sql`jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen)`
  const kind = approve ? 'refund_approved' : 'refund_rejected'
  return statement({
    name: approve ? (isLate ? 'approve-late-refund' : 'approve-refund') : 'reject-refund',
    parts: [
      moveRefundPart(outRefundNo, approve ? 'approve' : 'reject', changes),
      ...(approve && isLate ? lateOrderParts(outTradeNo, operatorId) : []),
      appendEventsPart(movedRefundOrder, { kind, trace, detail }),
      appendAuditPart(rowsOf('refund'), entry, from),
      ...(approve ? [enqueueJobPart('tracking', rowsOf('refund'), trackJob)] : []),
    ],
    select: reading(['refund'], sql`SELECT id FROM refund`),
    rows: { id: column.bigint },
  })
}

/**
 * The second person decides; whoever asked may only take it back. The database holds the same rule.
 * @throws DomainError account_too_new, second_person_required for who may not approve it; changed_meanwhile when there
 *   is nothing to decide
 */
export async function decideRequest(pool: Pool, decision: Decision): Promise<void> {
  const requested = await getRequested(pool, decision)
  if (decision.approve) refuseObstacle(requested.obstacle)
  const rows = await execute(pool, decideRequestStatement(decision, requested))
  if (rows.length === 0) throw new DomainError('changed_meanwhile')
}
