import { RefundStatus, type RefundStopVerdict, refundStateOf } from '@meridian/contracts'
import {
  column,
  type Db,
  execute,
  nullable,
  oneOf,
  type Pool,
  Prisma,
  query,
  type RowOf,
  statement,
} from '@meridian/db'
import { z } from 'zod'
import { endAlertPart } from '../alerts/write-alert.ts'
import { decideApproval } from '../approvals/approval-requests.ts'
import { refuseObstacle } from '../approvals/eligibility.ts'
import { listWaiting } from '../approvals/list-waiting.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { appendEventsPart } from '../orders/append-event.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { askRefund } from './ask-refund.ts'
import { noteKnown } from './count-sendings.ts'
import { moveRefundPart } from './move-refund.ts'
import { movedRefundOrder } from './request-refund.ts'
import { orFailure } from './retry-refund.ts'
import { settleRefund } from './settle-refund.ts'

const { sql } = Prisma

/** For how long a sending whose answer is unknown may still arrive; the database holds the same. */
const unansweredMinutes = 10

const stateColumns = {
  status: oneOf(RefundStatus.options),
  failure: nullable(column.text),
  stoppedAt: nullable(column.instant),
  sendings: column.integer,
  isBeingSent: column.boolean,
}
type RefundState = RowOf<typeof stateColumns>

const lockRefundStateSql = (outRefundNo: string): Prisma.Sql => sql`
  SELECT status::text, failure, stopped_at AS "stoppedAt", sendings,
    answers < sendings AND last_sent_at >= business_now() - ${unansweredMinutes} * interval '1 minute' AS "isBeingSent"
  FROM refunds WHERE out_refund_no = ${outRefundNo}`

/** @throws DomainError refund_being_sent while an answer of the platform may still come */
function refuseWhileSent({ isBeingSent }: RefundState): void {
  if (isBeingSent) throw new DomainError('refund_being_sent')
}

const Asked = z.object({ reason: z.string() })

type Act = RefundStopVerdict & Actor

const actionNames = { approved: 'stop', rejected: 'reject_stop', withdrawn: 'withdraw_stop' } as const

/** The request is decided and on record, with who asked for it. */
async function decideRequested(db: Db, act: Act) {
  const { id, approve, outRefundNo, operatorId, from } = act
  const decided = await decideApproval(db, { id, approve, kind: 'refund_stop', operatorId })
  if (decided.subject !== outRefundNo) throw new DomainError('changed_meanwhile')
  const { requestedBy, outcome } = decided
  const { reason } = Asked.parse(decided.after)
  const subject = { type: 'refund', id: outRefundNo }
  const entry = { operatorId, action: `refund.${actionNames[outcome]}`, subject }
  await writeAudit(db, { ...entry, after: { reason, requestedBy } }, from)
  return { requestedBy, reason }
}

/**
 * Gives the refund up: closed, with its sum free again, as a closing by the platform would. Only where nothing was
 * sent since `sendings` were counted, before the platform was asked.
 */
async function stop(db: Db, act: Act, sendings: number): Promise<void> {
  const { id, outRefundNo, operatorId, from } = act
  const { requestedBy, reason } = await decideRequested(db, act)
  const [standing] = await db.$queryRaw<RefundState[]>(sql`${lockRefundStateSql(outRefundNo)} FOR UPDATE`)
  if (!standing || refundStateOf(standing) !== 'refused') throw new DomainError('changed_meanwhile')
  if (standing.sendings !== sendings) throw new DomainError('refund_being_sent')
  refuseWhileSent(standing)
  const trace = { channel: 'console', requestId: from.requestId || null, operatorId } as const
  const detail = sql`jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen,
    'note', ${reason}::text, 'requested_by', ${requestedBy}::text)`
  const changes = sql`stopped_at = business_now(), stop_request_id = ${id}::bigint`
  const parts = [
    moveRefundPart(outRefundNo, 'stop', changes),
    endAlertPart('refund_stuck', outRefundNo, 'refund_ended'),
    appendEventsPart(movedRefundOrder, { kind: 'refund_stopped', trace, detail }),
  ] as const
  await db.$queryRaw(statement({ name: 'stop-refund', parts }).sql)
}

/** Whether this operator may confirm it, before anything is asked of the platform. */
async function requireConfirmable(pool: Pool, { id, outRefundNo, operatorId }: Act): Promise<void> {
  const [waiting] = await listWaiting(pool, { kind: 'refund_stop', subject: outRefundNo, operatorId })
  if (waiting?.id !== id) throw new DomainError('changed_meanwhile')
  refuseObstacle(waiting.obstacle)
}

async function confirm(services: Services, act: Act): Promise<void> {
  const { pool, prisma } = services.database
  const { outRefundNo, operatorId, from } = act
  await requireConfirmable(pool, act)
  const [standing] = await execute(
    pool,
    query('find-stoppable-refund', lockRefundStateSql(outRefundNo), stateColumns),
  )
  if (standing && refundStateOf(standing) === 'refused') {
    refuseWhileSent(standing)
    const { answer, mchId } = await orFailure(askRefund(services, outRefundNo))
    if (answer.state === 'no_such_refund')
      return prisma.$transaction((db) => stop(db, act, standing.sendings))
    await noteKnown(pool, outRefundNo, { answered: false })
    const arrival = { channel: 'admin_sync', requestId: from.requestId, operatorId, mchId } as const
    await settleRefund(pool, answer.refund, arrival)
  }
  // The platform has the refund after all: there is nothing to give up.
  await prisma.$transaction((db) => decideRequested(db, { ...act, approve: false }))
}

/**
 * A second person confirms that a refund is given up, or rejects that; whoever asked takes it back. Confirming asks the
 * platform first: only what it does not know is given up, and what it says instead is settled.
 * @throws DomainError changed_meanwhile when nothing waits any more; account_too_new, second_person_required;
 *   refund_being_sent; payment_platform_error, payment_platform_timeout
 */
export async function decideStop(services: Services, act: Act): Promise<void> {
  if (act.approve) return confirm(services, act)
  await services.database.prisma.$transaction((db) => decideRequested(db, act))
}
