import type { AlertKind, RefundMove } from '@meridian/contracts'
import { type Pool, type PoolClient, Prisma, run } from '@meridian/db'
import type { ConfirmedRefund } from '@meridian/payments'
import { raisedAlert } from '../alerts/raise-alert.ts'
import { inTransaction } from '../in-transaction.ts'
import { type Channel, eventsFrom } from '../orders/append-event.ts'
import { refundedOrder } from '../orders/move-order.ts'
import { dueDays, lockedSubscription } from '../subscriptions/unused-days.ts'
import { revocationOf, writtenGrant } from '../subscriptions/write-grant.ts'
import { refundMove } from './move-refund.ts'

export type RefundVerdict = 'applied' | 'unchanged' | 'unknown_refund' | 'mismatch'
export type RefundArrival = {
  channel: Channel
  requestId: string | null
  operatorId?: string | null
  mchId: string
}

type Known = { userId: string; orderId: bigint; agrees: boolean; status: string }

/** The refund under the locks of its order and its user's subscription: what is computed from them stays true. */
async function lockRefund(client: PoolClient, refund: ConfirmedRefund, mchId: string): Promise<Known | null> {
  const [known] = await run<Known>(
    client,
    'lock-refund',
    Prisma.sql`
      SELECT o.user_id AS "userId", o.id AS "orderId", r.status,
        r.amount_fen = ${refund.amountFen} AND o.out_trade_no = ${refund.outTradeNo}
          AND coalesce(${refund.mchId}::text, ${mchId}) = o.mch_id AS agrees
      FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.out_refund_no = ${refund.outRefundNo} FOR UPDATE OF o, r`,
  )
  if (!known) return null
  await run(client, 'lock-subscription', lockedSubscription(Prisma.sql`${known.userId}::uuid`))
  return known
}

/** Money is back with the buyer: refund, order, days and timeline in one statement. */
function succeed(client: PoolClient, refund: ConfirmedRefund, trace: RefundArrival) {
  const { outRefundNo, refundId, succeededAt } = refund
  const changes = Prisma.sql`
    succeeded_at = coalesce(${succeededAt}::timestamptz, now()), platform_refund_id = ${refundId}, failure = NULL`
  const due = dueDays({
    orderId: Prisma.sql`m.id`,
    durationDays: Prisma.sql`m.duration_days`,
    refundedFen: Prisma.sql`m.refunded_fen`,
    amountFen: Prisma.sql`m.amount_fen`,
  })
  const detail = Prisma.sql`jsonb_build_object('out_refund_no', out_refund_no, 'amount_fen', refund_fen, 'days_taken', days_taken)`
  return run(
    client,
    'succeed-refund',
    Prisma.sql`
      WITH ${refundMove(outRefundNo, 'succeed', changes)},
        ${refundedOrder(Prisma.sql`(SELECT order_id FROM refund)`, Prisma.sql`(SELECT amount_fen FROM refund)`)},
        revoked AS (
          SELECT m.id, m.from_status, m.status, m.user_id, m.features, r.id AS refund_id, r.out_refund_no, r.amount_fen AS refund_fen,
            CASE WHEN r.keep_days THEN 0 ELSE ${due} END AS days_taken
          FROM moved m JOIN refund r ON r.order_id = m.id),
        ${writtenGrant(revocationOf(Prisma.sql`revoked`))},
        recorded AS (${eventsFrom(Prisma.sql`revoked`, { kind: 'refund', trace, detail })})
      SELECT 1 FROM revoked`,
  )
}

const otherMoves = {
  closed: 'close',
  abnormal: 'turnAbnormal',
  processing: 'process',
} as const satisfies Record<string, RefundMove>

/** What somebody must look at: the buyer has nothing back. */
const alertKinds = {
  closed: 'refund_closed',
  abnormal: 'refund_abnormal',
  processing: null,
} as const satisfies Record<string, AlertKind | null>

/** The platform is still at it, gave up, or cannot reach the buyer's account. A repeat moves nothing and alarms nobody. */
async function moveOn(client: PoolClient, refund: ConfirmedRefund, trace: RefundArrival) {
  const { status, outRefundNo, outTradeNo, refundId } = refund
  if (status === 'succeeded') return []
  const changes = Prisma.sql`platform_refund_id = ${refundId}, submitted_at = coalesce(submitted_at, now()), failure = NULL`
  const detail = Prisma.sql`jsonb_build_object('out_refund_no', out_refund_no)`
  const standing = Prisma.sql`(
    SELECT o.id, o.status AS from_status, o.status, r.out_refund_no FROM refund r JOIN orders o ON o.id = r.order_id) standing`
  const rows = await run(
    client,
    `move-refund-${status}`,
    Prisma.sql`
      WITH ${refundMove(outRefundNo, otherMoves[status], changes)},
        recorded AS (${eventsFrom(standing, { kind: `refund_${status}`, trace, detail })})
      SELECT 1 FROM refund`,
  )
  const alert = alertKinds[status]
  if (rows.length === 1 && alert)
    await run(client, 'raise-alert', raisedAlert(alert, outRefundNo, { order: outTradeNo }))
  return rows
}

/**
 * The one road of everything the platform says about a refund, whoever brought it, inside a transaction under way.
 * Repeating it changes nothing further. Answers what became of it.
 */
export async function settleRefundIn(
  client: PoolClient,
  refund: ConfirmedRefund,
  arrival: RefundArrival,
): Promise<RefundVerdict> {
  const known = await lockRefund(client, refund, arrival.mchId)
  if (!known) return 'unknown_refund'
  if (!known.agrees) {
    await run(
      client,
      'raise-refund-mismatch',
      raisedAlert('refund_mismatch', refund.outRefundNo, { order: refund.outTradeNo }),
    )
    return 'mismatch'
  }
  const rows =
    refund.status === 'succeeded'
      ? await succeed(client, refund, arrival)
      : await moveOn(client, refund, arrival)
  return rows.length === 1 ? 'applied' : 'unchanged'
}

/** The same as a transaction of its own. */
export const settleRefund = (
  pool: Pool,
  refund: ConfirmedRefund,
  arrival: RefundArrival,
): Promise<RefundVerdict> => inTransaction(pool, (client) => settleRefundIn(client, refund, arrival))
