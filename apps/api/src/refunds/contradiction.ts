import { ApprovalObstacle, type ContradictionDecision } from '@meridian/contracts'
import {
  execute,
  nullable,
  oneOf,
  type Pool,
  type PoolClient,
  Prisma,
  part,
  query,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import type { ConfirmedRefund } from '@meridian/payments'
import { raiseAlertPart, settleAlertPart } from '../alerts/write-alert.ts'
import { approvalObstacleSql, refuseObstacle } from '../approvals/eligibility.ts'
import { type Actor, appendAuditPart } from '../audit/write-audit.ts'
import { appendEventsPart, type Trace } from '../orders/append-event.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { settingSql } from '../settings/read-settings.ts'
import { type LockedRefund, lockRefund } from './move-refund.ts'
import { allReservedSql } from './refund-rules.ts'
import { movedRefundOrder } from './request-refund.ts'
import { succeedRefund } from './succeed-refund.ts'

const { sql } = Prisma

/**
 * Why this operator may not decide which end of the refund `r` of the order `o` holds, as an expression; null when
 * nothing is in the way. Where the refunds of the order exceed the threshold it takes a second person, as the refund
 * itself did: somebody else than who asked for it (SPEC §4, §20).
 */
export const contradictionObstacleSql = (operatorId: string): Prisma.Sql => sql`
  CASE WHEN r.contradicted_by IS NOT NULL AND r.contradiction_decided_at IS NULL
    AND ${allReservedSql} + CASE WHEN r.held OR r.status NOT IN ('closed', 'rejected') THEN 0 ELSE r.amount_fen END
      > (${settingSql('refund_approval_threshold_fen')})::int
  THEN ${approvalObstacleSql({
    approver: sql`${operatorId}::uuid`,
    requester: sql`r.requested_by`,
    askedAt: sql`r.contradicted_at`,
  })} END`

type Contradiction = { known: LockedRefund; said: ConfirmedRefund; trace: Trace }

/**
 * The platform says an end that is not ours. The refund keeps its own until somebody decides; its sum counts against
 * the order meanwhile, unless it was refunded again already: then the alert says so. A repeat is only counted.
 */
export async function recordContradiction(
  client: PoolClient,
  { known, said, trace }: Contradiction,
): Promise<void> {
  const { refundId, status, succeededAt } = said
  const { outRefundNo, outTradeNo } = known
  const alert = raiseAlertPart('refund_contradicted', outRefundNo, {
    order: outTradeNo,
    amount_fen: said.amountFen,
    ours: known.status,
    theirs: status,
    sum: known.isCovered ? 'held' : 'refunded_again',
  })
  const detail = Prisma.sql`jsonb_build_object('out_refund_no', out_refund_no, 'said', ${status}::text)`
  const refund = Prisma.sql`
    UPDATE refunds SET contradicted_by = ${status}::refund_status,
      contradicted_at = coalesce(${succeededAt}::timestamptz, business_now()),
      held = ${known.isCovered}::boolean, platform_refund_id = coalesce(platform_refund_id, ${refundId})
    WHERE out_refund_no = ${outRefundNo} AND contradicted_by IS NULL
    RETURNING id, out_refund_no, order_id, amount_fen`
  const parts = [
    alert,
    part('refund', [], refund),
    appendEventsPart(movedRefundOrder, { kind: 'refund_contradicted', trace, detail }),
  ] as const
  await execute(client, statement({ name: 'record-contradiction', parts }))
}

type Decision = ContradictionDecision & Actor

const traceOf = ({ operatorId, from }: Decision) =>
  ({ channel: 'console', requestId: from.requestId || null, operatorId }) as const

async function requireSecondPerson(client: PoolClient, { outRefundNo, operatorId }: Decision): Promise<void> {
  const [refund] = await execute(
    client,
    query(
      'judge-contradiction',
      Prisma.sql`
      SELECT ${contradictionObstacleSql(operatorId)} AS obstacle
      FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.out_refund_no = ${outRefundNo}`,
      { obstacle: nullable(oneOf(ApprovalObstacle.options)) },
    ),
  )
  refuseObstacle(refund?.obstacle ?? null)
}

/** The contradiction, the alert and the audit log: who decided what, and why. */
async function recordDecision(client: PoolClient, known: LockedRefund, decision: Decision): Promise<void> {
  const { outRefundNo, accept, note, operatorId, from } = decision
  const entry = {
    operatorId,
    action: 'refund.decide_contradiction',
    subject: { type: 'refund', id: outRefundNo },
    before: { status: known.status, said: known.contradictedBy },
    after: { accept, note },
  }
  const detail = Prisma.sql`jsonb_build_object('out_refund_no', out_refund_no, 'accept', ${accept}::text, 'note', ${note}::text)`
  const told = { kind: 'refund_contradiction_decided', trace: traceOf(decision), detail }
  const refund = Prisma.sql`
    UPDATE refunds SET held = false, contradiction_decided_at = business_now() WHERE out_refund_no = ${outRefundNo}
    RETURNING id, out_refund_no, order_id, amount_fen`
  const subject = reading(['refund'], Prisma.sql`(SELECT out_refund_no AS out_trade_no FROM refund) decided`)
  const parts = [
    part('refund', [], refund),
    appendEventsPart(movedRefundOrder, told),
    settleAlertPart('refund_contradicted', subject, { operatorId, resolution: note }),
    appendAuditPart(rowsOf('refund'), entry, from),
  ] as const
  await execute(client, statement({ name: 'decide-contradiction', parts }))
}

/**
 * Finance says which of the two ends holds. A success that is accepted is settled like any other, unless its sum was
 * refunded again meanwhile: no order gives back more than was paid. A closing that is accepted gives the sum free
 * again where ours ended closed; where ours succeeded, the order and its days stay as they are and what the buyer is
 * still owed is returned outside, so that nothing can go back twice. Above the threshold of refunds, whoever asked for
 * the refund does not decide it.
 * @throws DomainError not_found, changed_meanwhile when nothing waits, refund_not_possible when the sum is gone;
 *   account_too_new, second_person_required for who may not decide that much
 */
export const decideContradiction = (pool: Pool, decision: Decision): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { outRefundNo, accept } = decision
    const known = await lockRefund(client, outRefundNo)
    if (!known) throw new DomainError('not_found')
    if (known.contradictedBy === null || known.isDecided) throw new DomainError('changed_meanwhile')
    await requireSecondPerson(client, decision)
    const settles = accept === 'succeeded' && known.status !== 'succeeded'
    if (settles && !known.isCovered) throw new DomainError('refund_not_possible')
    if (settles) {
      const { contradictedAt: succeededAt, platformRefundId: refundId } = known
      const success = {
        outRefundNo,
        refundId,
        succeededAt,
        move: 'acceptSuccess',
        trace: traceOf(decision),
        isSecond: known.isSecond,
      } as const
      if (!(await succeedRefund(client, success))) throw new DomainError('refund_not_possible')
    }
    await recordDecision(client, known, decision)
  })
