import { RefundDetail, RefundEnd, RefundStop, refundMoves } from '@meridian/contracts'
import { column, execute, nullable, oneOf, type Pool, Prisma, query } from '@meridian/db'
import { approvalObstacleSql } from '../approvals/eligibility.ts'
import { listWaiting } from '../approvals/list-waiting.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { dueDaysSql } from '../subscriptions/unused-days.ts'
import { contradictionObstacleSql } from './contradiction.ts'
import { refundColumnsSql } from './list-refunds.ts'

const refundStopColumns = columnsOf(RefundStop)

const refundColumns = {
  ...columnsOf(RefundDetail.omit({ contradiction: true, stop: true, waitingStop: true })),
  saidStatus: nullable(oneOf(RefundEnd.options)),
  saidAt: nullable(column.instant),
  held: column.boolean,
  settledAt: nullable(column.instant),
}

/** Who gave the refund up, and why, from the request that was approved. */
async function findStop(pool: Pool, outRefundNo: string): Promise<RefundStop | null> {
  const emailOf = (id: Prisma.Sql) => Prisma.sql`(SELECT email FROM operators WHERE id = ${id})`
  const [stop = null] = await execute(
    pool,
    query(
      'find-refund-stop',
      Prisma.sql`
      SELECT a.after ->> 'reason' AS reason, ${emailOf(Prisma.sql`a.requested_by`)} AS "requestedByEmail",
        a.requested_at AS "requestedAt", ${emailOf(Prisma.sql`a.decided_by`)} AS "confirmedByEmail", r.stopped_at AS "stoppedAt"
      FROM refunds r JOIN approval_requests a ON a.id = r.stop_request_id WHERE r.out_refund_no = ${outRefundNo}`,
      refundStopColumns,
    ),
  )
  return stop
}

/**
 * One refund, for the operator who looks at it.
 * @throws DomainError not_found
 */
export async function showRefund(
  pool: Pool,
  { outRefundNo, operatorId }: { outRefundNo: string; operatorId: string },
): Promise<RefundDetail> {
  const open = ['requested', ...refundMoves.succeed.from]
  const due = dueDaysSql({
    orderId: Prisma.sql`o.id`,
    durationDays: Prisma.sql`o.duration_days`,
    refundedFen: Prisma.sql`least(o.refunded_fen + r.amount_fen, o.amount_fen)`,
    amountFen: Prisma.sql`o.amount_fen`,
  })
  const obstacle = approvalObstacleSql({
    approver: Prisma.sql`${operatorId}::uuid`,
    requester: Prisma.sql`r.requested_by`,
    askedAt: Prisma.sql`r.created_at`,
  })
  const [row] = await execute(
    pool,
    query(
      'show-refund',
      Prisma.sql`
      SELECT ${refundColumnsSql}, r.note, o.status AS "orderStatus", o.amount_fen AS "orderAmountFen",
        o.refunded_fen AS "orderRefundedFen", o.plan_name AS "planName", r.platform_refund_id AS "platformRefundId",
        r.decided_at AS "decidedAt", r.submitted_at AS "submittedAt",
        (SELECT coalesce(-sum(g.days), 0)::int FROM grants g WHERE g.refund_id = r.id) AS "daysTaken",
        CASE WHEN r.status = ANY(${open}::refund_status[]) AND NOT r.keep_days THEN ${due} END AS "daysDue",
        r.contradicted_by AS "saidStatus", r.contradicted_at AS "saidAt", r.held, r.contradiction_decided_at AS "settledAt",
        coalesce(r.requested_by = ${operatorId}::uuid, false) AS "isOwn",
        CASE WHEN r.status = 'requested' THEN ${obstacle} ELSE ${contradictionObstacleSql(operatorId)} END AS obstacle
      FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.out_refund_no = ${outRefundNo}`,
      refundColumns,
    ),
  )
  if (!row) throw new DomainError('not_found')
  const { saidStatus, saidAt, held, settledAt: decidedAt, ...refund } = row
  const contradiction = saidStatus && saidAt && { saidStatus, saidAt, held, decidedAt }
  const [stop, [waitingStop = null]] = await Promise.all([
    findStop(pool, outRefundNo),
    listWaiting(pool, { kind: 'refund_stop', subject: outRefundNo, operatorId }),
  ])
  return { ...refund, contradiction, stop, waitingStop }
}
