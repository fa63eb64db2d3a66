import { type Part, Prisma, part, type Reading } from '@meridian/db'

/** What a parked order lacks, as a condition on it: days that were paid for. */
export const isUngrantedSql: Prisma.Sql = Prisma.sql`NOT EXISTS (
  SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase')`

/** A paid order has its grant, or it is late and has a refund; an unpaid one has neither. */
export const satisfiesGrantInvariantSql: Prisma.Sql = Prisma.sql`(
  o.status NOT IN ('paid', 'refunded') OR NOT ${isUngrantedSql}
  OR (o.late AND EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.id AND r.second_payment_id IS NULL)))`

type Unparking<Reads extends string> = {
  outTradeNo: string
  parkReason: string
  /** On the order `o`. */
  condition: Reading<Reads>
  stay?: boolean
}
type UnparkingParts<Reads extends string> = readonly [
  Part<'target', never>,
  Part<'unparked', 'target' | Reads>,
]

/** Decided, and still without days: parked for good, until somebody decides otherwise. */
export const leftAsIs = 'left_as_is'

/**
 * The end of parking as two parts of a statement: `target` locks the order, `unparked` is the order afterwards,
 * or no row when it is not parked for this reason any more or `condition` does not hold. With `stay`
 * it stays parked, for the reason that somebody decided so.
 */
export const unparkOrderParts = <Reads extends string>({
  outTradeNo,
  parkReason,
  condition,
  stay = false,
}: Unparking<Reads>): UnparkingParts<Reads> => {
  const next = stay ? leftAsIs : null
  return [
    part(
      'target',
      [],
      Prisma.sql`SELECT id, status, park_reason FROM orders WHERE out_trade_no = ${outTradeNo} AND parked FOR UPDATE`,
    ),
    part(
      'unparked',
      ['target', ...condition.reads],
      Prisma.sql`
      UPDATE orders o SET parked = ${stay}::boolean, park_reason = ${next}::text
      FROM target t WHERE o.id = t.id AND t.park_reason = ${parkReason} AND ${condition.sql}
      RETURNING o.*, t.status AS from_status`,
    ),
  ]
}
