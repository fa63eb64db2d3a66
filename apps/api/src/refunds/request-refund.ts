import type { RefundReason } from '@meridian/contracts'
import {
  column,
  execute,
  oneOf,
  type Part,
  type Pool,
  Prisma,
  part,
  query,
  type Reading,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import { mayAskSql, requireAskerOf } from '../approvals/eligibility.ts'
import { appendAuditPart } from '../audit/write-audit.ts'
import { enqueueJobPart, jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { appendEventsPart, type Trace } from '../orders/append-event.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newUlid } from '../platform/ids/new-id.ts'
import { settingSql } from '../settings/read-settings.ts'
import { allReservedSql, isRefundableSinceSql, isRefundableSql, refuseByApple } from './refund-rules.ts'

export type RefundRequest = {
  outTradeNo: string
  amountFen: number
  reason: RefundReason
  note: string | null
  keepDays: boolean
  operatorId: string
  requestId: string
  /** From where the operator asks. */
  address?: string
  /** What refunds of the order had taken or held when the operator looked; a request for other sums is refused. */
  reservedFen?: number
}

export type RequestedRefund = { outRefundNo: string; status: 'requested' | 'approved' }

/** Whether the database's own limits refused it. */
export const isRefusedByConstraint = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '23514'

/** What that job is to know, for a relation with its out_refund_no. */
export const trackPayload = (attempt: number) =>
  jobPayloadSql('track_refund', { outRefundNo: Prisma.sql`out_refund_no`, attempt })

/** The job that brings a refund onwards, for a relation with its out_refund_no; one per refund. */
export const trackJob = {
  job: 'track_refund',
  payload: trackPayload(0),
  key: jobKeySql('track_refund', Prisma.sql`out_refund_no`),
} as const

/** The order `target` as it stands beside its new refund, and the refund's line on the timeline. */
export function recordRequestParts(kind: string, trace: Trace, detail: Prisma.Sql) {
  return [
    part(
      'noted',
      ['target', 'refund'],
      Prisma.sql`SELECT t.id, t.from_status, t.status, r.out_refund_no, r.amount_fen FROM target t JOIN refund r ON r.order_id = t.id`,
    ),
    appendEventsPart(rowsOf('noted'), { kind, trace, detail }),
  ] as const
}

function insertRequestedSql(request: RefundRequest): Prisma.Sql {
  const { amountFen, reason, note, keepDays, operatorId } = request
  return Prisma.sql`
      INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, note, keep_days, requested_by, status, decided_at)
      SELECT ${`R${newUlid()}`}, id, ${amountFen}, ${reason}, ${note}, ${keepDays}, ${operatorId}::uuid,
        (CASE WHEN small THEN 'approved' ELSE 'requested' END)::refund_status, CASE WHEN small THEN business_now() END
      FROM agreed, LATERAL (
        SELECT all_reserved_fen + ${amountFen} <= (${settingSql('refund_approval_threshold_fen')})::int AS small) rule
      WHERE small OR ${mayAskSql(operatorId)}
      RETURNING out_refund_no, order_id, amount_fen, status`
}

export function requestRefundStatement(request: RefundRequest) {
  const { outTradeNo, amountFen, reason, note, keepDays, operatorId, requestId, address = '' } = request
  const trace = { channel: 'console', requestId, operatorId } as const
  const entry = {
    operatorId,
    action: 'refund.request',
    subject: { type: 'order', id: outTradeNo },
    after: { amountFen, reason, note, keepDays },
  }
  const target = Prisma.sql`
      SELECT o.id, o.status AS from_status, o.status, o.refund_reserved_fen, ${allReservedSql} AS all_reserved_fen FROM orders o
      WHERE out_trade_no = ${outTradeNo} AND ${isRefundableSql} AND ${isRefundableSinceSql(Prisma.sql`o.paid_at`)} FOR UPDATE`
  const agreed = Prisma.sql`
      SELECT * FROM target WHERE refund_reserved_fen = coalesce(${request.reservedFen ?? null}::int, refund_reserved_fen)`
  const detail = Prisma.sql`jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', amount_fen)`
  return statement({
    name: 'request-refund',
    parts: [
      part('target', [], target),
      part('agreed', ['target'], agreed),
      part('refund', ['agreed'], insertRequestedSql(request)),
      ...recordRequestParts('refund_requested', trace, detail),
      appendAuditPart(rowsOf('refund'), entry, { address, requestId, userAgent: '' }),
      enqueueJobPart('tracking', reading(['refund'], Prisma.sql`refund WHERE status = 'approved'`), trackJob),
    ],
    select: reading(['refund'], Prisma.sql`SELECT out_refund_no AS "outRefundNo", status FROM refund`),
    rows: { outRefundNo: column.text, status: oneOf(['requested', 'approved']) },
  })
}

/**
 * Writes a refund before anything is asked of the platform. It needs a second person when the sum of all refunds of
 * the order, this one included, exceeds the threshold; otherwise it is approved and on its way.
 * @throws DomainError refund_by_apple where Apple took the payment; refund_not_possible when the order, the sum, the number or the year does not allow it;
 *   account_too_new where it needs a second person and the account may not ask for one yet
 */
export async function requestRefund(pool: Pool, request: RefundRequest): Promise<RequestedRefund> {
  const { outTradeNo, operatorId } = request
  try {
    const [refund] = await execute(pool, requestRefundStatement(request))
    if (refund) return refund
  } catch (error) {
    if (!isRefusedByConstraint(error)) throw error
  }
  await refuseByApple(pool, outTradeNo)
  if (await needsSecondPerson(pool, request)) await requireAskerOf(pool, operatorId)
  throw new DomainError('refund_not_possible', { outTradeNo })
}

/** Whether this refund, were it possible, would need a second person. */
async function needsSecondPerson(pool: Pool, { outTradeNo, amountFen }: RefundRequest): Promise<boolean> {
  const sql = Prisma.sql`
      SELECT ${allReservedSql} + ${amountFen}::int > (${settingSql('refund_approval_threshold_fen')})::int AS large
      FROM orders o WHERE out_trade_no = ${outTradeNo} AND ${isRefundableSql}`
  const [rule] = await execute(pool, query('needs-second-person', sql, { large: column.boolean }))
  return rule?.large ?? false
}

/**
 * A refund of the whole order, approved by rule, as the part `returned`: one for each order of `source`, a relation with
 * id and amount_fen. `requestedBy` is who chose it; null where a rule did.
 */
export const insertSystemRefundPart = <Reads extends string>(
  source: Reading<Reads>,
  reason: RefundReason,
  requestedBy: string | null = null,
): Part<'returned', Reads> =>
  part(
    'returned',
    source.reads,
    Prisma.sql`
  INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, keep_days, requested_by, status, decided_at)
  SELECT ${`R${newUlid()}`}, id, amount_fen, ${reason}, false, ${requestedBy}::uuid, 'approved', business_now() FROM ${source.sql}
  RETURNING out_refund_no`,
  )

/** Refunds of the order in the part `unparked` that waited while it was parked. */
export const resumedRefunds = reading(
  ['unparked'],
  Prisma.sql`(
  SELECT r.out_refund_no FROM refunds r JOIN unparked ON r.order_id = unparked.id
  WHERE r.status IN ('approved', 'processing')) resumed`,
)

/** The orders of these refunds as they stand, for the timeline: `refunds` is a relation after a move. */
export const refundOrderSql = (refunds: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  SELECT o.id, o.status AS from_status, o.status, moved.out_refund_no, moved.amount_fen
  FROM ${refunds} moved JOIN orders o ON o.id = moved.order_id) standing`

/** The same of the refund in the part `refund`. */
export const movedRefundOrder = reading(['refund'], refundOrderSql(Prisma.sql`refund`))
