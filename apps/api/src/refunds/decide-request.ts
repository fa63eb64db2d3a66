import { type Pool, Prisma, run } from '@meridian/db'
import { DomainError } from '../domain-error.ts'
import { enqueued } from '../jobs/enqueue-job.ts'
import { refundMove } from './move-refund.ts'
import { trackJob, trackKey } from './request-refund.ts'

type Decision = { outRefundNo: string; operatorId: string; approve: boolean }

/**
 * The second person decides. Whoever requested a refund cannot approve it; the database holds the same rule.
 * @throws DomainError forbidden for the requester, refund_not_possible when there is nothing to decide
 */
export async function decideRequest(
  pool: Pool,
  { outRefundNo, operatorId, approve }: Decision,
): Promise<void> {
  const [requested] = await run<{ requestedBy: string | null }>(
    pool,
    'find-requested-refund',
    Prisma.sql`SELECT requested_by AS "requestedBy" FROM refunds WHERE out_refund_no = ${outRefundNo} AND status = 'requested'`,
  )
  if (!requested) throw new DomainError('refund_not_possible')
  if (approve && requested.requestedBy === operatorId) throw new DomainError('forbidden')
  const changes = Prisma.sql`decided_at = now(), approved_by = ${approve ? operatorId : null}::uuid`
  const followUp = approve ? enqueued('track_refund', trackJob, { key: trackKey }) : Prisma.sql`NULL`
  const rows = await run(
    pool,
    approve ? 'approve-refund' : 'reject-refund',
    Prisma.sql`WITH ${refundMove(outRefundNo, approve ? 'approve' : 'reject', changes)} SELECT ${followUp} AS job FROM refund`,
  )
  if (rows.length === 0) throw new DomainError('refund_not_possible')
}
