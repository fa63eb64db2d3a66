import { type RefundStatus, type RefundStopRequest, refundStateOf } from '@meridian/contracts'
import { type Database, Prisma } from '@meridian/db'
import { askApproval } from '../approvals/approval-requests.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { appendEventsSql } from '../orders/append-event.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { refundOrderSql } from './request-refund.ts'

const { sql } = Prisma

type RefundState = { status: RefundStatus; failure: string | null; stoppedAt: Date | null }

/** The orders of this refund, for the timeline. */
export const orderOfRefundSql = (outRefundNo: string): Prisma.Sql =>
  refundOrderSql(sql`(SELECT * FROM refunds WHERE out_refund_no = ${outRefundNo})`)

/**
 * Somebody asks to give up a refund that the platform refuses: nothing changes until a second person confirms it.
 * @throws DomainError not_found; changed_meanwhile when it is not refused; account_too_new, already_waiting
 */
export async function requestStop(
  database: Database,
  { outRefundNo, reason }: RefundStopRequest,
  { operatorId, from }: Actor,
): Promise<void> {
  await database.$transaction(async (db) => {
    const [refund] = await db.$queryRaw<RefundState[]>(sql`
      SELECT status::text, failure, stopped_at AS "stoppedAt" FROM refunds WHERE out_refund_no = ${outRefundNo}`)
    if (!refund) throw new DomainError('not_found')
    if (refundStateOf(refund) !== 'refused') throw new DomainError('changed_meanwhile')
    const { status, failure } = refund
    await askApproval(db, {
      kind: 'refund_stop',
      subject: outRefundNo,
      before: { status, failure },
      after: { reason },
      operatorId,
    })
    const trace = { channel: 'console', requestId: from.requestId || null, operatorId } as const
    const detail = sql`jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen, 'note', ${reason}::text)`
    await db.$executeRaw(
      appendEventsSql(orderOfRefundSql(outRefundNo), { kind: 'refund_stop_requested', trace, detail }),
    )
    const subject = { type: 'refund', id: outRefundNo }
    const entry = { operatorId, action: 'refund.request_stop', subject, before: { status, failure } }
    await writeAudit(db, { ...entry, after: { reason } }, from)
  })
}
