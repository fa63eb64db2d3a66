import { type ParkedListQuery, ParkedRow, type RowCount, type TwoWayPage } from '@meridian/contracts'
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
import { byAge, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'
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
const leftAsIs = 'left_as_is'

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

const { sql } = Prisma

const { oldest } = byAge({ key: instantColumn(sql`o.created_at`), id: serialColumn(sql`o.id`) })

/** The order `o` waits for a decision; or somebody decided to leave it as it is. */
export const isParkedSql = ({ left }: { left: boolean }): Prisma.Sql =>
  sql`o.parked AND (o.park_reason = ${leftAsIs}) = ${left}`

export const parkedFromSql = (parked: { left: boolean }): Prisma.Sql =>
  sql`orders o WHERE ${isParkedSql(parked)} ORDER BY o.created_at, o.id`

/** How many orders wait, or were left: exact up to 10,000. */
export const countParkedOrders = (pool: Pool, parked: { left: boolean }): Promise<RowCount> =>
  countRows(pool, parkedFromSql(parked))

/** Orders that wait for a decision, oldest first; or those that somebody decided to leave as they are. */
export const listParkedOrders = (
  pool: Pool,
  query: ParkedListQuery,
  names: NameView,
): Promise<TwoWayPage<ParkedRow>> =>
  readPage(
    pool,
    { sort: oldest, asked: query, columns: columnsOf(ParkedRow) },
    ({ position, page }) => sql`
      SELECT o.out_trade_no AS "outTradeNo", o.status, o.plan_name AS "planName", o.duration_days AS "durationDays",
        o.amount_fen AS "amountFen", o.user_id AS "userId",
        ${nicknameOfSql(sql`o.user_id`, names)} AS customer, o.park_reason AS "parkReason", o.late,
        o.trade_type AS "tradeType", NOT ${isUngrantedSql} AS granted, o.created_at AS "createdAt", o.paid_at AS "paidAt", ${position}
      FROM orders o WHERE ${isParkedSql(query)} AND ${page}`,
  )
