import {
  column,
  execute,
  type Part,
  type Pool,
  Prisma,
  part,
  type Reading,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import { appendEventsPart, type Trace } from './append-event.ts'

type Parking = { outTradeNo: string; reason: string; trace: Trace }

export const parkOrderStatement = ({ outTradeNo, reason, trace }: Parking) => {
  const parked = Prisma.sql`
    UPDATE orders SET parked = true, park_reason = ${reason} WHERE out_trade_no = ${outTradeNo} AND NOT parked
    RETURNING id, status AS from_status, status, park_reason`
  const detail = Prisma.sql`jsonb_build_object('reason', park_reason)`
  return statement({
    name: 'park-order',
    parts: [part('parked', [], parked), appendEventsPart(rowsOf('parked'), { kind: 'park', trace, detail })],
    select: reading(['parked'], Prisma.sql`SELECT id FROM parked`),
    rows: { id: column.bigint },
  })
}

/** Takes an order out of everything automatic until an operator decides. Answers false when it was parked already. */
export const parkOrder = async (pool: Pool, parking: Parking): Promise<boolean> =>
  (await execute(pool, parkOrderStatement(parking))).length === 1

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
