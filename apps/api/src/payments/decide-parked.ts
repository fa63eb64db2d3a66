import type { LateDecision, ParkedDecision, ParkedOrder } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { settleAlertSql } from '../alerts/resolve-alert.ts'
import { appendAuditSql, type RequestMeta } from '../audit/write-audit.ts'
import { enqueueJobSql } from '../jobs/enqueue-job.ts'
import { appendEventsSql } from '../orders/append-event.ts'
import { findParking } from '../orders/find-order.ts'
import { sweepKeySql, sweepPayloadSql } from '../orders/sweep-schedule.ts'
import { isUngrantedSql, satisfiesGrantInvariantSql, unparkOrderSql } from '../orders/unpark-order.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { isSmallRefundSql, requestLateRefund } from '../refunds/request-late-refund.ts'
import {
  insertSystemRefundSql,
  resumedRefundsSql,
  trackKeySql,
  trackPayloadSql,
} from '../refunds/request-refund.ts'
import { purchaseGrantSql, writeGrantSql } from '../subscriptions/write-grant.ts'

const { sql } = Prisma

export type Decided = ParkedOrder & { note: string; operatorId: string; from: RequestMeta }
type Decision = Decided & { action: string; decision: LateDecision | ParkedDecision }

/** Under which condition each may be decided; what is late waits for finance and is decided by nobody else. */
const conditions = {
  release: satisfiesGrantInvariantSql,
  leave: sql`TRUE`,
  // While its refund waits for a second person or is under way, the days are not given as well.
  activate: sql`o.status = 'paid' AND ${isUngrantedSql} AND (NOT o.late OR o.refund_reserved_fen = 0)`,
  refund: sql`o.status = 'paid' AND ${isUngrantedSql} AND o.refund_reserved_fen = 0 AND ${isSmallRefundSql}`,
} as const satisfies Record<Decision['decision'], Prisma.Sql>

const nothing = sql`(SELECT * FROM unparked WHERE false) nothing`

/** One statement: the order, its days or its refund, the timeline, the audit log and the jobs, or nothing at all. */
function decisionStatement({ outTradeNo, parkReason, decision, note, ...act }: Decision): Prisma.Sql {
  const { operatorId, from, action } = act
  const condition = conditions[decision]
  const trace = { channel: 'console', requestId: from.requestId, operatorId } as const
  const detail = sql`${JSON.stringify({ decision, reason: parkReason, note })}::jsonb`
  const grantable = decision === 'activate' ? sql`unparked` : nothing
  const returnable = decision === 'refund' ? sql`unparked` : nothing
  const entry = {
    operatorId,
    action,
    subject: { type: 'order', id: outTradeNo },
    before: { parkReason },
    after: { decision, note },
  }
  const follow = sql`json_build_object('outTradeNo', out_trade_no)`
  return sql`
    WITH ${unparkOrderSql({ outTradeNo, parkReason, condition, stay: decision === 'leave' })},
      ${writeGrantSql(purchaseGrantSql(grantable))},
      returned AS (${insertSystemRefundSql(returnable, 'late_payment', operatorId)}),
      recorded AS (${appendEventsSql(sql`unparked`, { kind: 'decide', trace, detail })}),
      audited AS (${appendAuditSql(sql`unparked`, entry, from)}),
      settled AS (${settleAlertSql('order_parked', sql`unparked`, { operatorId, resolution: `${decision}: ${note}` })})
    SELECT id,
      (SELECT ${enqueueJobSql('track_refund', trackPayloadSql, { key: trackKeySql })} FROM returned) AS refund_job,
      (SELECT count(${enqueueJobSql('track_refund', trackPayloadSql, { key: trackKeySql })}) FROM ${resumedRefundsSql(sql`unparked`)}) AS refund_jobs,
      CASE WHEN parked THEN NULL
        WHEN status IN ('created', 'prepay') THEN ${enqueueJobSql('sweep_order', sweepPayloadSql(0), { key: sweepKeySql })}
        ELSE ${enqueueJobSql('follow_payment', follow)} END AS job
    FROM unparked`
}

async function decide(pool: Pool, decision: Decision): Promise<void> {
  const rows = await run(pool, null, decisionStatement(decision))
  if (rows.length === 1) return
  const { outTradeNo, parkReason } = decision
  const parking = await findParking(pool, outTradeNo)
  if (!parking) throw new DomainError('order_not_found')
  if (parking.parkReason !== parkReason) throw new DomainError('changed_meanwhile')
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
 * @throws DomainError as decideParked; account_too_new
 */
export async function decideLate(pool: Pool, decided: Decided & { decision: LateDecision }): Promise<void> {
  if (!isLate(decided)) throw new DomainError('decision_not_possible')
  if (decided.decision === 'refund' && (await requestLateRefund(pool, decided))) return
  await decide(pool, { ...decided, action: 'order.decide_late' })
}
