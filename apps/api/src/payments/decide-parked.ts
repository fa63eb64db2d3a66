import type { LateDecision, ParkedDecision, ParkedOrder } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, reading, rowsOf, statement } from '@meridian/db'
import { settleAlertPart } from '../alerts/write-alert.ts'
import { type Actor, appendAuditPart } from '../audit/write-audit.ts'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { enqueueJobPart } from '../jobs/job-table.ts'
import { appendEventsPart } from '../orders/append-event.ts'
import { isUngrantedSql, satisfiesGrantInvariantSql, unparkOrderParts } from '../orders/park-order.ts'
import { findParking, isUnpaidSql } from '../orders/read-orders.ts'
import { sweepKeySql, sweepPayloadSql } from '../orders/sweep-schedule.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { isByAppleSql, refuseByApple } from '../refunds/refund-rules.ts'
import { isSmallRefundSql, requestLateRefund } from '../refunds/request-late-refund.ts'
import { insertSystemRefundPart, resumedRefunds, trackJob } from '../refunds/request-refund.ts'
import { purchaseGrantOf, writeGrantParts } from '../subscriptions/write-grant.ts'
import { followJob } from './apply-payment.ts'

const { sql } = Prisma

export type Decided = ParkedOrder & Actor & { note: string }
type Decision = Decided & { action: string; decision: LateDecision | ParkedDecision }

/** Under which condition each may be decided; what is late waits for finance and is decided by nobody else. */
const conditions = {
  release: satisfiesGrantInvariantSql,
  leave: sql`TRUE`,
  // While its refund waits for a second person or is under way, the days are not given as well.
  activate: sql`o.status = 'paid' AND ${isUngrantedSql} AND (NOT o.late OR o.refund_reserved_fen = 0)`,
  refund: sql`o.status = 'paid' AND ${isUngrantedSql} AND o.refund_reserved_fen = 0 AND ${isSmallRefundSql}
    AND NOT ${isByAppleSql}`,
} as const satisfies Record<Decision['decision'], Prisma.Sql>

const unparked = rowsOf('unparked')
const nothing = reading(['unparked'], sql`(SELECT * FROM unparked WHERE false) nothing`)
const sweepable = reading(['unparked'], sql`unparked WHERE NOT parked AND ${isUnpaidSql('unparked')}`)
const followable = reading(['unparked'], sql`unparked WHERE NOT parked AND NOT ${isUnpaidSql('unparked')}`)
const sweepJob = { job: 'sweep_order', payload: sweepPayloadSql(0), key: sweepKeySql } as const

/** What goes on by itself again: the order's refunds, and the order, unpaid or paid. */
const resumingParts = [
  enqueueJobPart('resumed_refunds', resumedRefunds, trackJob),
  scheduleJobPart('sweep', sweepable, sweepJob),
  scheduleJobPart('follow_up', followable, followJob),
] as const

/** One statement: the order, its days or its refund, the timeline, the audit log and the jobs, or nothing at all. */
export function decideParkedStatement({ outTradeNo, parkReason, decision, note, ...asked }: Decision) {
  const { operatorId, from, action } = asked
  const condition = reading([], conditions[decision])
  const trace = { channel: 'console', requestId: from.requestId, operatorId } as const
  const detail = sql`${JSON.stringify({ decision, reason: parkReason, note })}::jsonb`
  const entry = {
    operatorId,
    action,
    subject: { type: 'order', id: outTradeNo },
    before: { parkReason },
    after: { decision, note },
  }
  return statement({
    name: null,
    parts: [
      ...unparkOrderParts({ outTradeNo, parkReason, condition, stay: decision === 'leave' }),
      ...writeGrantParts(purchaseGrantOf(decision === 'activate' ? unparked : nothing)),
      insertSystemRefundPart(decision === 'refund' ? unparked : nothing, 'late_payment', operatorId),
      appendEventsPart(unparked, { kind: 'decide', trace, detail }),
      appendAuditPart(unparked, entry, from),
      settleAlertPart('order_parked', unparked, { operatorId, resolution: `${decision}: ${note}` }),
      enqueueJobPart('refund_job', rowsOf('returned'), trackJob),
      ...resumingParts,
    ],
    select: reading(['unparked'], sql`SELECT id FROM unparked`),
    rows: { id: column.bigint },
  })
}

async function decide(pool: Pool, decision: Decision): Promise<void> {
  const rows = await execute(pool, decideParkedStatement(decision))
  if (rows.length === 1) return
  const { outTradeNo, parkReason } = decision
  const parking = await findParking(pool, outTradeNo)
  if (!parking) throw new DomainError('order_not_found')
  if (parking.parkReason !== parkReason) throw new DomainError('changed_meanwhile')
  if (decision.decision === 'refund') await refuseByApple(pool, outTradeNo)
  throw new DomainError('decision_not_possible')
}

const isLate = ({ parkReason }: ParkedOrder) => parkReason === 'late_payment'

/**
 * An operator decides about an order that is parked for `parkReason`: it goes on by itself (`release`), gets the days
 * that were paid for (`activate`), or stays as it is (`leave`). A late payment is not decided here.
 * @throws DomainError order_not_found; changed_meanwhile where it is not parked for this reason any more;
 *   decision_not_possible where the order would then be paid without days
 */
export async function decideParked(
  pool: Pool,
  decided: Decided & { decision: ParkedDecision },
): Promise<void> {
  if (isLate(decided)) throw new DomainError('decision_not_possible')
  await decide(pool, { ...decided, action: 'order.decide' })
}

/**
 * Finance decides, once, what becomes of a payment that came too late: its days, or the money back. A refund above the
 * threshold waits for a second person, and the order stays parked until then.
 * @throws DomainError as decideParked; account_too_new; refund_by_apple where Apple took the payment: its days alone can be given
 */
export async function decideLate(pool: Pool, decided: Decided & { decision: LateDecision }): Promise<void> {
  if (!isLate(decided)) throw new DomainError('decision_not_possible')
  if (decided.decision === 'refund' && (await requestLateRefund(pool, decided))) return
  await decide(pool, { ...decided, action: 'order.decide_late' })
}
