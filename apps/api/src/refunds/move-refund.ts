import { PaymentChannel, RefundEnd, type RefundMove, RefundStatus, refundMoves } from '@meridian/contracts'
import {
  column,
  execute,
  nullable,
  oneOf,
  type Part,
  type PoolClient,
  Prisma,
  part,
  query,
  type RowOf,
} from '@meridian/db'
import type { ConfirmedRefund } from '@meridian/payments'
import { returnedTotalSql, returnedTransactionSql } from '../orders/second-payment.ts'
import { lockSubscriptionSql } from '../subscriptions/unused-days.ts'
import { isSecondCovered } from './refund-rules.ts'

const lockedColumns = {
  outRefundNo: column.text,
  userId: column.text,
  outTradeNo: column.text,
  channel: oneOf(PaymentChannel.options),
  /** What tells the payment that it returns from every other: its transaction, in virtual payment its attempt. */
  paymentNo: nullable(column.text),
  mchId: column.text,
  currency: column.text,
  totalFen: column.integer,
  amountFen: column.integer,
  status: oneOf(RefundStatus.options),
  platformRefundId: nullable(column.text),
  contradictedBy: nullable(oneOf(RefundEnd.options)),
  contradictedAt: nullable(column.instant),
  isDecided: column.boolean,
  /** Whether the sum counts against the order by now, or still fits beside what does. */
  isCovered: column.boolean,
  /** Whether it returns a payment beside the order's own. */
  isSecond: column.boolean,
}
/** A refund of ours and of its order what the platform's word is compared with. */
export type LockedRefund = RowOf<typeof lockedColumns>

/**
 * The refund under the locks of its order and its user's subscription: what is computed from them stays true. The refund
 * comes first and its order second, as for everybody who writes a refund: the trigger `refunds_reserve` then writes its
 * order. Two who take them in different orders would wait for each other.
 */
export async function lockRefund(client: PoolClient, outRefundNo: string): Promise<LockedRefund | null> {
  const [known] = await execute(
    client,
    query(
      'lock-refund',
      Prisma.sql`
      SELECT r.out_refund_no AS "outRefundNo", o.user_id AS "userId", o.out_trade_no AS "outTradeNo", ${returnedTransactionSql(Prisma.sql`r`)} AS "paymentNo", o.channel, o.mch_id AS "mchId",
        o.currency, ${returnedTotalSql(Prisma.sql`r`)} AS "totalFen", r.amount_fen AS "amountFen", r.status,
        r.second_payment_id IS NOT NULL AS "isSecond", r.platform_refund_id AS "platformRefundId", r.contradicted_by AS "contradictedBy",
        r.contradicted_at AS "contradictedAt", r.contradiction_decided_at IS NOT NULL AS "isDecided",
        r.held OR r.status NOT IN ('closed', 'rejected')
          OR (o.refund_reserved_fen + r.amount_fen <= o.amount_fen AND o.refund_count < 50) AS "isCovered"
      FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.out_refund_no = ${outRefundNo} FOR UPDATE OF r, o`,
      lockedColumns,
    ),
  )
  if (!known) return null
  await execute(client, query('lock-subscription', lockSubscriptionSql(Prisma.sql`${known.userId}::uuid`)))
  return known.isSecond ? { ...known, isCovered: await isSecondCovered(client, outRefundNo) } : known
}

/**
 * The number of ours that the platform's word is about; null where it is about no refund of ours. In virtual payment a
 * refund that we did not ask for is ours once it was applied, and is known by the platform's id (virtual payment §4.5).
 */
export async function findOwnNumber(
  client: PoolClient,
  { channel, outRefundNo, refundId }: Pick<ConfirmedRefund, 'channel' | 'outRefundNo' | 'refundId'>,
): Promise<string | null> {
  if (channel === 'jsapi') return outRefundNo
  const [own] = await execute(
    client,
    query(
      'find-own-refund',
      Prisma.sql`
      SELECT out_refund_no AS "outRefundNo" FROM refunds
      WHERE out_refund_no = ${outRefundNo} OR platform_refund_id = ${refundId}
      ORDER BY out_refund_no = ${outRefundNo} DESC LIMIT 1`,
      { outRefundNo: column.text },
    ),
  )
  return own?.outRefundNo ?? null
}

/** A move of a refund, with further assignments. */
export type RefundMoveParts = { outRefundNo: string; move: RefundMove; changes: Prisma.Sql }

/**
 * The one writer of a refund's status, as the part `refund` of a statement: it is the refund after the move, or no
 * row when the move is not open. `changes` are further assignments.
 */
export function moveRefundPart(
  outRefundNo: string,
  move: RefundMove,
  changes: Prisma.Sql,
): Part<'refund', never> {
  const { from, to } = refundMoves[move]
  return part(
    'refund',
    [],
    Prisma.sql`
      UPDATE refunds SET status = ${to}::refund_status, ${changes}
      WHERE out_refund_no = ${outRefundNo} AND status = ANY(${[...from]}::refund_status[])
      RETURNING id, out_refund_no, order_id, amount_fen, keep_days`,
  )
}
