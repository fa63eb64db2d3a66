import { type Pool, Prisma, run } from '@meridian/db'
import { auditedFrom, type Footprint } from '../audit/write-audit.ts'
import { DomainError } from '../domain-error.ts'
import { enqueued } from '../jobs/enqueue-job.ts'
import { eventsFrom } from '../orders/append-event.ts'
import { refundMove } from './move-refund.ts'
import { refundOrder, trackJob, trackKey } from './request-refund.ts'

type Decision = { outRefundNo: string; operatorId: string; approve: boolean; from?: Footprint }

const nowhere: Footprint = { address: '', userAgent: '', requestId: '' }

async function refuseOwn(pool: Pool, { outRefundNo, operatorId, approve }: Decision): Promise<void> {
  const [requested] = await run<{ requestedBy: string | null }>(
    pool,
    'find-requested-refund',
    Prisma.sql`SELECT requested_by AS "requestedBy" FROM refunds WHERE out_refund_no = ${outRefundNo} AND status = 'requested'`,
  )
  if (!requested) throw new DomainError('changed_meanwhile')
  if (approve && requested.requestedBy === operatorId) throw new DomainError('second_person_required')
}

/**
 * The second person decides; whoever asked may only take it back. The database holds the same rule.
 * @throws DomainError second_person_required for the requester, changed_meanwhile when there is nothing to decide
 */
export async function decideRequest(pool: Pool, decision: Decision): Promise<void> {
  await refuseOwn(pool, decision)
  const { outRefundNo, operatorId, approve, from = nowhere } = decision
  const changes = Prisma.sql`decided_at = now(), approved_by = ${approve ? operatorId : null}::uuid`
  const followUp = approve ? enqueued('track_refund', trackJob, { key: trackKey }) : Prisma.sql`NULL`
  const action = approve ? 'refund.approve' : 'refund.reject'
  const act = { operatorId, action, subject: { type: 'refund', id: outRefundNo } }
  const trace = { channel: 'console', requestId: from.requestId || null, operatorId } as const
  const detail = Prisma.sql`jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen)`
  const kind = approve ? 'refund_approved' : 'refund_rejected'
  const rows = await run(
    pool,
    approve ? 'approve-refund' : 'reject-refund',
    Prisma.sql`
      WITH ${refundMove(outRefundNo, approve ? 'approve' : 'reject', changes)},
        recorded AS (${eventsFrom(refundOrder(Prisma.sql`refund`), { kind, trace, detail })}),
        audited AS (${auditedFrom(Prisma.sql`refund`, act, from)})
      SELECT ${followUp} AS job FROM refund`,
  )
  if (rows.length === 0) throw new DomainError('changed_meanwhile')
}
