import { column, execute, type Pool, Prisma, part, reading, rowsOf, statement } from '@meridian/db'
import { mayAskSql, requireAskerOf } from '../approvals/eligibility.ts'
import { type Actor, appendAuditPart } from '../audit/write-audit.ts'
import { isUngrantedSql } from '../orders/park-order.ts'
import { newUlid } from '../platform/ids/new-id.ts'
import { settingSql } from '../settings/read-settings.ts'
import { allReservedSql, isByAppleSql } from './refund-rules.ts'
import { recordRequestParts } from './request-refund.ts'

const { sql } = Prisma

export type LateRefundRequest = Actor & { outTradeNo: string; note: string }

/** Whether the refund of a whole order is small enough for one person, as a condition on the order `o` (SPEC §4). */
export const isSmallRefundSql: Prisma.Sql = sql`
  ${allReservedSql} + o.amount_fen <= (${settingSql('refund_approval_threshold_fen')})::int`

const requestStatement = ({ outTradeNo, note, operatorId, from }: LateRefundRequest) => {
  const trace = { channel: 'console', requestId: from.requestId, operatorId } as const
  const entry = {
    operatorId,
    action: 'refund.request',
    subject: { type: 'order', id: outTradeNo },
    after: { reason: 'late_payment', note },
  }
  const detail = sql`jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen)`
  const target = sql`
        SELECT o.id, o.status AS from_status, o.status, o.amount_fen, ${mayAskSql(operatorId)} AS may FROM orders o
        WHERE o.out_trade_no = ${outTradeNo} AND o.parked AND o.park_reason = 'late_payment' AND o.status = 'paid'
          AND ${isUngrantedSql} AND o.refund_reserved_fen = 0 AND NOT (${isSmallRefundSql}) AND NOT ${isByAppleSql} FOR UPDATE`
  const refund = sql`
        INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, note, keep_days, requested_by)
        SELECT ${`R${newUlid()}`}, id, amount_fen, 'late_payment', ${note}, false, ${operatorId}::uuid FROM target WHERE may
        RETURNING out_refund_no, order_id, amount_fen`
  return statement({
    name: 'request-late-refund',
    parts: [
      part('target', [], target),
      part('refund', ['target'], refund),
      ...recordRequestParts('refund_requested', trace, detail),
      appendAuditPart(rowsOf('refund'), entry, from),
    ],
    select: reading(['target'], sql`SELECT may FROM target`),
    rows: { may: column.boolean },
  })
}

/**
 * Asks for the refund of a late payment that one person may not give back alone: the order stays parked until a second
 * person has decided. Answers whether there was such an order.
 * @throws DomainError account_too_new
 */
export async function requestLateRefund(pool: Pool, request: LateRefundRequest): Promise<boolean> {
  const rows = await execute(pool, requestStatement(request))
  if (rows[0]?.may === false) await requireAskerOf(pool, request.operatorId)
  return rows.length === 1
}
