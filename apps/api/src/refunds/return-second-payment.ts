import { SecondPayment, type SecondPaymentReturn } from '@meridian/contracts'
import {
  column,
  execute,
  nullable,
  oneOf,
  type Pool,
  Prisma,
  part,
  query,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import { mayAskSql, requireAskerOf } from '../approvals/eligibility.ts'
import { type Actor, appendAuditPart } from '../audit/write-audit.ts'
import { enqueueJobPart } from '../jobs/job-table.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newUlid } from '../platform/ids/new-id.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { settingSql } from '../settings/read-settings.ts'
import {
  allReservedSql,
  isRefundableSinceSql,
  isSecondByAppleSql,
  reservedOfSecondSql,
} from './refund-rules.ts'
import {
  isRefusedByConstraint,
  type RequestedRefund,
  recordRequestParts,
  trackJob,
} from './request-refund.ts'

const { sql } = Prisma

const secondPaymentColumns = columnsOf(SecondPayment)

const shownAtMost = 50

/** The second payments of an order, and what of each is left to return. */
export const listSecondPayments = (pool: Pool, outTradeNo: string): Promise<SecondPayment[]> =>
  execute(
    pool,
    query(
      'list-second-payments',
      sql`
      SELECT p.transaction_id AS "transactionId", o.out_trade_no AS "outTradeNo", p.amount_fen AS "amountFen", p.payer,
        p.source, p.paid_at AS "paidAt", p.recorded_at AS "recordedAt", ${isSecondByAppleSql} AS "byApple", p.amount_fen - ${reservedOfSecondSql} AS "refundableFen",
        o.second_refund_reserved_fen AS "reservedFen", (${settingSql('refund_approval_threshold_fen')})::int
          - ${allReservedSql} AS "aloneFen"
      FROM second_payments p JOIN orders o ON o.id = p.order_id
      WHERE o.out_trade_no = ${outTradeNo} ORDER BY p.id LIMIT ${shownAtMost}`,
      secondPaymentColumns,
    ),
  )

/** The refund, its line on the order's timeline, the audit entry and the job, or nothing at all. */
export function returnSecondPaymentStatement(asked: SecondPaymentReturn, { operatorId, from }: Actor) {
  const { transactionId, amountFen, reason, note } = asked
  const trace = { channel: 'console', requestId: from.requestId, operatorId } as const
  const entry = {
    operatorId,
    action: 'refund.return_second_payment',
    subject: { type: 'order', id: asked.outTradeNo },
    after: { transactionId, amountFen, reason, note },
  }
  const detail = sql`jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen, 'transaction_id', ${transactionId}::text)`
  const target = sql`
      SELECT o.id, o.status AS from_status, o.status, p.id AS payment_id, ${isSecondByAppleSql} AS by_apple,
        ${allReservedSql} + ${amountFen}::int <= (${settingSql('refund_approval_threshold_fen')})::int AS small
      FROM orders o JOIN second_payments p ON p.order_id = o.id
      WHERE o.out_trade_no = ${asked.outTradeNo} AND p.transaction_id = ${transactionId}
        AND o.second_refund_reserved_fen = ${asked.reservedFen}::int
        AND ${isRefundableSinceSql(sql`coalesce(p.paid_at, p.recorded_at)`)}
      FOR UPDATE OF o`
  const refund = sql`
      INSERT INTO refunds (out_refund_no, order_id, second_payment_id, amount_fen, reason_code, note, keep_days, requested_by, status, decided_at)
      SELECT ${`R${newUlid()}`}, id, payment_id, ${amountFen}, ${reason}, ${note}, true, ${operatorId}::uuid,
        (CASE WHEN small THEN 'approved' ELSE 'requested' END)::refund_status, CASE WHEN small THEN business_now() END
      FROM target WHERE NOT by_apple AND (small OR ${mayAskSql(operatorId)})
      RETURNING out_refund_no, order_id, amount_fen, status`
  const answer = sql`
    SELECT r.out_refund_no AS "outRefundNo", r.status, t.small, t.by_apple AS "byApple" FROM target t LEFT JOIN refund r ON r.order_id = t.id`
  return statement({
    name: 'return-second-payment',
    parts: [
      part('target', [], target),
      part('refund', ['target'], refund),
      ...recordRequestParts('second_payment_refund_requested', trace, detail),
      appendAuditPart(rowsOf('refund'), entry, from),
      enqueueJobPart('tracking', reading(['refund'], sql`refund WHERE status = 'approved'`), trackJob),
    ],
    select: reading(['target', 'refund'], answer),
    rows: {
      outRefundNo: nullable(column.text),
      status: nullable(oneOf(['requested', 'approved'])),
      small: column.boolean,
      byApple: column.boolean,
    },
  })
}

/**
 * Returns a second payment to whoever paid it, or a part of it: its own sum is the limit, and neither the order, its
 * refundable sum nor its days are touched. It needs a second person where all refunds of the order together, this one
 * included, exceed the threshold.
 * @throws DomainError refund_by_apple where Apple took it; refund_not_possible when there is no such payment of this order, its sum, number or year does not
 *   allow it, or somebody asked meanwhile; account_too_new where it needs a second person and the account may not ask yet
 */
export async function returnSecondPayment(
  pool: Pool,
  asked: SecondPaymentReturn,
  actor: Actor,
): Promise<RequestedRefund> {
  try {
    const [answer] = await execute(pool, returnSecondPaymentStatement(asked, actor))
    if (answer?.outRefundNo && answer.status)
      return { outRefundNo: answer.outRefundNo, status: answer.status }
    if (answer?.byApple) throw new DomainError('refund_by_apple', { outTradeNo: asked.outTradeNo })
    if (answer && !answer.small) await requireAskerOf(pool, actor.operatorId)
  } catch (error) {
    if (!isRefusedByConstraint(error)) throw error
  }
  throw new DomainError('refund_not_possible', { outTradeNo: asked.outTradeNo })
}
