import { OrderStatus, PaymentChannel } from '@meridian/contracts'
import {
  execute,
  oneOf,
  type PoolClient,
  Prisma,
  part,
  query,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import { endAlertSql } from '../alerts/write-alert.ts'
import { appendEventsPart, type Trace } from '../orders/append-event.ts'
import { moveRefundedOrderParts } from '../orders/move-order.ts'
import { measureMove } from '../platform/measures/order-measures.ts'
import { dueDaysSql } from '../subscriptions/unused-days.ts'
import { revocationGrantOf, writeGrantParts } from '../subscriptions/write-grant.ts'
import { moveRefundPart } from './move-refund.ts'
import { succeedSecondRefund } from './succeed-second-refund.ts'

type Success = {
  outRefundNo: string
  refundId: string | null
  succeededAt: Date | null
  move: 'succeed' | 'acceptSuccess'
  trace: Trace
  /** Of a payment beside the order's own: then only that goes back. */
  isSecond: boolean
}

export const changesOfSuccess = ({ refundId, succeededAt }: Success): Prisma.Sql => Prisma.sql`
  succeeded_at = coalesce(${succeededAt}::timestamptz, business_now()), platform_refund_id = coalesce(${refundId}, platform_refund_id),
  decided_at = coalesce(decided_at, business_now()), failure = NULL, held = false,
  contradiction_decided_at = CASE WHEN contradicted_by IS NOT NULL THEN coalesce(contradiction_decided_at, business_now()) END`

/** Refund, order, days and timeline in one statement. */
export function succeedRefundStatement(success: Success) {
  const { outRefundNo, move, trace } = success
  const due = dueDaysSql({
    orderId: Prisma.sql`m.id`,
    durationDays: Prisma.sql`m.duration_days`,
    refundedFen: Prisma.sql`m.refunded_fen`,
    amountFen: Prisma.sql`m.amount_fen`,
  })
  const detail = Prisma.sql`jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', refund_fen, 'days_taken', days_taken)`
  const revoked = Prisma.sql`
      SELECT m.id, m.from_status, m.status, m.channel, m.user_id, m.features, r.id AS refund_id, r.out_refund_no, r.amount_fen AS refund_fen,
        CASE WHEN r.keep_days THEN 0 ELSE ${due} END AS days_taken
      FROM moved m JOIN refund r ON r.order_id = m.id`
  return statement({
    name: `${move}-refund`,
    parts: [
      moveRefundPart(outRefundNo, move, changesOfSuccess(success)),
      ...moveRefundedOrderParts(),
      part('revoked', ['moved', 'refund'], revoked),
      ...writeGrantParts(revocationGrantOf(rowsOf('revoked'))),
      appendEventsPart(rowsOf('revoked'), { kind: 'refund', trace, detail }),
    ],
    select: reading(['revoked'], Prisma.sql`SELECT status, channel FROM revoked`),
    rows: { status: oneOf(OrderStatus.options), channel: oneOf(PaymentChannel.options) },
  })
}

async function settleOwn(client: PoolClient, success: Success): Promise<boolean> {
  const rows = await execute(client, succeedRefundStatement(success))
  if (rows[0]?.status === 'refunded' && success.trace.channel !== 'replay')
    measureMove('refund', rows[0].channel)
  return rows.length === 1
}

/** Money is back with the buyer. Answers whether the refund moved. */
export async function succeedRefund(client: PoolClient, success: Success): Promise<boolean> {
  const { outRefundNo, move, trace } = success
  const moved = success.isSecond
    ? await succeedSecondRefund(client, { outRefundNo, move, trace, changes: changesOfSuccess(success) })
    : await settleOwn(client, success)
  if (moved && move === 'succeed')
    await execute(
      client,
      query('end-contradiction', endAlertSql('refund_contradicted', outRefundNo, 'refund_succeeded')),
    )
  return moved
}
