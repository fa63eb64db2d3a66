import { type RefundMove, refundMoves } from '@meridian/contracts'
import { type Part, Prisma, part } from '@meridian/db'

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
