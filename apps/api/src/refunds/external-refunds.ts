import { refundsAtMost } from '@meridian/contracts'
import {
  type Connection,
  column,
  execute,
  nullable,
  type PoolClient,
  Prisma,
  part,
  query,
  type RowOf,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import type { ConfirmedPayment, ConfirmedRefund } from '@meridian/payments'
import { endAlertSql, raiseAlertSql } from '../alerts/write-alert.ts'
import { appendEventsPart, type Trace } from '../orders/append-event.ts'
import { orderSnapshotSql } from '../orders/move-order.ts'
import { unparkOrderParts } from '../orders/park-order.ts'
import { newUlid } from '../platform/ids/new-id.ts'
import type { Differences } from './decide-settlement.ts'
import { findPayment, lockOrderOf, type ReturnedPayment } from './find-returned-payment.ts'
import { lockRefund } from './move-refund.ts'
import { succeedRefund } from './succeed-refund.ts'

const { sql } = Prisma

/**
 * What becomes of a refund that we did not ask for: `unknown_refund` is kept and no more, because it failed or its payment
 * is not known here yet; `overdrawn` is more than is left of the payment; `order_unknown` is of a number we never signed.
 */
export type ToldVerdict =
  | 'applied'
  | 'unchanged'
  | 'unknown_refund'
  | 'mismatch'
  | 'overdrawn'
  | 'order_unknown'
type Told = { verdict: ToldVerdict; outTradeNo?: string; differs?: Differences }

const keptColumns = {
  refundId: column.text,
  attemptNo: nullable(column.text),
  amountFen: column.integer,
  succeededAt: nullable(column.instant),
  isApplied: column.boolean,
}
/** A refund by the platform's id of it, as it was told first. */
type Kept = RowOf<typeof keptColumns>

type Said = Pick<ConfirmedRefund, 'refundId' | 'outTradeNo' | 'amountFen' | 'status' | 'succeededAt'>

/** Keeps the platform's word under its own id: once per refund, and told on the timeline the first time. */
export const keepToldRefundStatement = (said: Said, outTradeNo: string, trace: Trace) => {
  const { refundId, outTradeNo: attemptNo, amountFen, status, succeededAt } = said
  const kept = sql`
      INSERT INTO external_refunds (out_refund_no, out_trade_no, refund_id, amount_fen, status, attempt_no, succeeded_at)
      VALUES (${refundId}, ${outTradeNo}, ${refundId}, ${amountFen}, ${status}, ${attemptNo}, ${succeededAt}::timestamptz)
      ON CONFLICT (out_refund_no) DO UPDATE SET last_at = business_now(),
        status = CASE WHEN external_refunds.status = 'succeeded' THEN external_refunds.status ELSE excluded.status END,
        succeeded_at = coalesce(external_refunds.succeeded_at, excluded.succeeded_at)
      RETURNING refund_id, attempt_no, amount_fen, succeeded_at, applied_refund_no, status, xmax = 0 AS is_new`
  const detail = { refund_id: refundId, amount_fen: amountFen, status }
  const newly = sql`(SELECT told.* FROM ${orderSnapshotSql(outTradeNo)} told, kept WHERE kept.is_new) newly`
  return statement({
    name: 'keep-told-refund',
    parts: [
      part('kept', [], kept),
      appendEventsPart(reading(['kept'], newly), {
        kind: 'external_refund',
        trace,
        detail: sql`${JSON.stringify(detail)}::jsonb`,
      }),
    ],
    select: reading(
      ['kept'],
      sql`
      SELECT refund_id AS "refundId", attempt_no AS "attemptNo", amount_fen AS "amountFen", succeeded_at AS "succeededAt",
        applied_refund_no IS NOT NULL AS "isApplied" FROM kept`,
    ),
    rows: keptColumns,
  })
}

/** The refund of ours that it becomes, approved by rule, on whose success the one rule of SPEC §4 follows. */
export const insertToldRefundStatement = (
  { refundId, amountFen }: Pick<Kept, 'refundId' | 'amountFen'>,
  { orderId, secondPaymentId }: Pick<ReturnedPayment, 'orderId' | 'secondPaymentId'>,
) => {
  const outRefundNo = `R${newUlid()}`
  const refund = sql`
      INSERT INTO refunds (out_refund_no, order_id, second_payment_id, amount_fen, reason_code, keep_days, status, decided_at, platform_refund_id)
      VALUES (${outRefundNo}, ${orderId}, ${secondPaymentId}::bigint, ${amountFen}, 'external', ${secondPaymentId !== null}, 'approved', business_now(), ${refundId})
      RETURNING out_refund_no`
  const applied = sql`
      UPDATE external_refunds SET applied_refund_no = refund.out_refund_no FROM refund
      WHERE external_refunds.out_refund_no = ${refundId}`
  return statement({
    name: 'insert-told-refund',
    parts: [part('refund', [], refund), part('applied', ['refund'], applied)],
    select: reading(['refund'], sql`SELECT out_refund_no AS "outRefundNo" FROM refund`),
    rows: { outRefundNo: column.text },
  })
}

/** A late payment that waited for a decision is decided once all of it went back. */
export const decideReturnedLateStatement = (outTradeNo: string, trace: Trace) => {
  const condition = reading([], sql`o.status = 'refunded'`)
  const detail = sql`${JSON.stringify({ decision: 'refund', reason: 'late_payment' })}::jsonb`
  return statement({
    name: 'decide-returned-late-payment',
    parts: [
      ...unparkOrderParts({ outTradeNo, parkReason: 'late_payment', condition }),
      appendEventsPart(rowsOf('unparked'), { kind: 'decide', trace, detail }),
    ],
  })
}

type Applying = { kept: Kept; payment: ReturnedPayment; trace: Trace }

async function refuseOverdrawn(client: PoolClient, { kept, payment }: Applying): Promise<Told> {
  const { outTradeNo, leftFen: ours } = payment
  const differs = { left: { ours, theirs: kept.amountFen } }
  const detail = { order: outTradeNo, fields: ['left'], differs }
  await execute(
    client,
    query('raise-overdrawn-refund', raiseAlertSql('refund_mismatch', kept.refundId, detail)),
  )
  return { verdict: 'overdrawn', outTradeNo, differs }
}

async function apply(client: PoolClient, applying: Applying): Promise<Told> {
  const { kept, payment, trace } = applying
  const { outTradeNo, leftFen, refundCount } = payment
  if (kept.amountFen > leftFen || refundCount >= refundsAtMost) return refuseOverdrawn(client, applying)
  const [inserted] = await execute(client, insertToldRefundStatement(kept, payment))
  const refund = inserted && (await lockRefund(client, inserted.outRefundNo))
  if (!refund) throw new Error(`the refund ${kept.refundId} was not written`)
  const { outRefundNo, isSecond } = refund
  const { refundId, succeededAt } = kept
  await succeedRefund(client, { outRefundNo, refundId, succeededAt, move: 'succeed', trace, isSecond })
  await execute(client, decideReturnedLateStatement(outTradeNo, trace))
  await execute(
    client,
    query('end-overdrawn-refund', endAlertSql('refund_mismatch', refundId, 'refund_succeeded')),
  )
  return { verdict: 'applied', outTradeNo }
}

type Other = { said: ConfirmedRefund; outTradeNo: string }

/** The same id tells of another payment or sum than before: nobody knows which of the two went back. */
async function refuseOther(client: PoolClient, kept: Kept, { said, outTradeNo }: Other) {
  const differs = {
    out_trade_no: { ours: kept.attemptNo, theirs: said.outTradeNo },
    refund: { ours: kept.amountFen, theirs: said.amountFen },
  }
  const detail = { order: outTradeNo, fields: Object.keys(differs), differs }
  await execute(
    client,
    query('raise-refund-mismatch', raiseAlertSql('refund_mismatch', kept.refundId, detail)),
  )
  return { verdict: 'mismatch', outTradeNo, differs } as const
}

/**
 * What the platform told of a refund of virtual payment that we did not ask for, Apple's or of its own console: kept, and
 * where it succeeded and its payment is known, applied at once. Repeats of what was applied are settled like any other
 * word about a refund of ours, and change nothing.
 */
export async function receiveToldRefund(
  client: PoolClient,
  refund: ConfirmedRefund,
  trace: Trace,
): Promise<Told> {
  const attemptNo = refund.outTradeNo
  const order = attemptNo === null ? null : await lockOrderOf(client, attemptNo)
  if (!order || attemptNo === null) return { verdict: 'order_unknown' }
  const { outTradeNo } = order
  const [kept] = await execute(client, keepToldRefundStatement(refund, outTradeNo, trace))
  if (!kept) throw new Error(`the refund ${refund.refundId} was not kept`)
  if (kept.attemptNo !== attemptNo || kept.amountFen !== refund.amountFen)
    return refuseOther(client, kept, { said: refund, outTradeNo })
  // Somebody who was told the same was first, while this waited for the order.
  if (kept.isApplied) return { verdict: 'unchanged', outTradeNo }
  if (refund.status !== 'succeeded') return { verdict: 'unknown_refund', outTradeNo }
  const { refundId, amountFen } = kept
  const told = { refund_id: refundId, amount_fen: amountFen }
  await execute(client, query('raise-external-refund', raiseAlertSql('external_refund', outTradeNo, told)))
  const payment = await findPayment(client, order, attemptNo)
  return payment ? apply(client, { kept, payment, trace }) : { verdict: 'unknown_refund', outTradeNo }
}

/** What succeeded and was not applied yet, as a condition. */
const isWaitingSql = sql`status = 'succeeded' AND applied_refund_no IS NULL`

/**
 * Applies what the platform told of refunds of these attempts before their payments were known here, each with its trace.
 * To be called in the paying transaction, behind the statement that made the payments known, be they the orders' own or
 * second ones.
 */
export async function applyToldRefunds(
  client: PoolClient,
  traces: ReadonlyMap<string, Trace>,
): Promise<void> {
  const waiting = await execute(
    client,
    query(
      'list-told-refunds',
      sql`
      SELECT refund_id AS "refundId", attempt_no AS "attemptNo", amount_fen AS "amountFen", succeeded_at AS "succeededAt",
        FALSE AS "isApplied"
      FROM external_refunds WHERE attempt_no = ANY(${[...traces.keys()]}::text[]) AND ${isWaitingSql}
      ORDER BY first_at, out_refund_no`,
      keptColumns,
    ),
  )
  for (const kept of waiting) {
    const attemptNo = kept.attemptNo ?? ''
    const trace = traces.get(attemptNo)
    const order = trace && (await lockOrderOf(client, attemptNo))
    const payment = order && (await findPayment(client, order, attemptNo))
    if (payment && trace) await apply(client, { kept, payment, trace })
  }
}

/** Whether a refund of this payment was told before the payment itself: then it is applied together with it. */
export async function hasToldRefund(db: Connection, { paymentNo }: ConfirmedPayment): Promise<boolean> {
  const told = sql`SELECT EXISTS (SELECT 1 FROM external_refunds WHERE attempt_no = ${paymentNo} AND ${isWaitingSql}) AS told`
  const [row] = await execute(db, query('has-told-refund', told, { told: column.boolean }))
  return row?.told ?? false
}
