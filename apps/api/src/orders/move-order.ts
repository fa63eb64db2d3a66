import { type CloseReason, type OrderMove, orderMoves } from '@meridian/contracts'
import {
  type Connection,
  column,
  execute,
  nullable,
  type Part,
  type Pool,
  Prisma,
  part,
  query,
  type RowOf,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import { measureMove } from '../platform/measures/order-measures.ts'
import { appendEventsPart, type Trace } from './append-event.ts'

const { sql } = Prisma

const payableOrder = {
  amountFen: column.integer,
  currency: column.text,
  appId: column.text,
  mchId: column.text,
  payerOpenid: column.text,
  transactionId: nullable(column.text),
}
type PayableOrderRow = RowOf<typeof payableOrder>

export const findPayableOrderQuery = (outTradeNo: string) =>
  query(
    'find-payable-order',
    Prisma.sql`
      SELECT amount_fen AS "amountFen", currency, app_id AS "appId", mch_id AS "mchId",
             payer_openid AS "payerOpenid", transaction_id AS "transactionId"
      FROM orders WHERE out_trade_no = ${outTradeNo}`,
    payableOrder,
  )

/** The one read of the paid transition: an order's terms by its number, through the unique index. */
export async function findPayableOrder(db: Connection, outTradeNo: string): Promise<PayableOrderRow | null> {
  const [order = null] = await execute(db, findPayableOrderQuery(outTradeNo))
  return order
}

/** The order of this number as a relation that timeline entries can be written from, without moving it. */
export const orderSnapshotSql = (outTradeNo: string): Prisma.Sql =>
  Prisma.sql`(SELECT id, status AS from_status, status, created_at FROM orders WHERE out_trade_no = ${outTradeNo})`

/**
 * The one writer of an order's status, as two parts of a statement. `target` locks the order, whatever its status, and
 * shows the latest of it; `moved` is the order after the move, or no row when the move is not open. `changes` are
 * further assignments; they may read the order as `o` and the locked row as `t`.
 */
export function moveOrderParts(outTradeNo: string, move: OrderMove, changes: Prisma.Sql) {
  const { from, to } = orderMoves[move]
  return [
    part(
      'target',
      [],
      sql`
      SELECT id, status, transaction_id FROM orders WHERE out_trade_no = ${outTradeNo} FOR UPDATE`,
    ),
    part(
      'moved',
      ['target'],
      sql`
      UPDATE orders o SET status = ${to}::order_status, ${changes}
      FROM target t WHERE o.id = t.id AND t.status = ANY(${[...from]}::order_status[])
      RETURNING o.*, t.status AS from_status`,
    ),
  ] as const
}

export type Moving = {
  outTradeNo: string
  move: OrderMove
  changes: Prisma.Sql
  trace: Trace
  /** What else happens with the order that moved. */
  follow?: Part<'follow_up', 'moved'>
  detail?: Prisma.Sql
}

/** A move and its line on the timeline in one statement. */
export const moveOrderStatement = ({ outTradeNo, move, changes, trace, follow, detail }: Moving) =>
  statement({
    name: `move-order-${move}`,
    parts: [
      ...moveOrderParts(outTradeNo, move, changes),
      appendEventsPart(rowsOf('moved'), { kind: move, trace, ...(detail && { detail }) }),
      ...(follow ? [follow] : []),
    ],
    select: reading(['moved'], sql`SELECT id FROM moved`),
    rows: { id: column.bigint },
  })

/** Moves an order. Answers whether this call made the move: false means somebody else was first. */
export async function moveOrder(pool: Pool, moving: Moving): Promise<boolean> {
  const rows = await execute(pool, moveOrderStatement(moving))
  if (rows.length === 1) measureMove(moving.move)
  return rows.length === 1
}

/**
 * The order of the refund in the part `refund`, whose money is back: the sum grows, and with the last fen the status
 * moves. `target` and `moved` as above.
 */
export function moveRefundedOrderParts() {
  const { from, to } = orderMoves.refund
  return [
    part(
      'target',
      ['refund'],
      sql`SELECT id, status FROM orders WHERE id = (SELECT order_id FROM refund) FOR UPDATE`,
    ),
    part(
      'moved',
      ['target', 'refund'],
      sql`
      UPDATE orders o SET refunded_fen = refunded_fen + (SELECT amount_fen FROM refund),
        status = CASE WHEN refunded_fen + (SELECT amount_fen FROM refund) = amount_fen THEN ${to}::order_status ELSE o.status END
      FROM target t WHERE o.id = t.id AND t.status = ANY(${[...from]}::order_status[])
      RETURNING o.*, t.status AS from_status`,
    ),
  ] as const
}

type Closing = { outTradeNo: string; reason: CloseReason; trace: Trace }

export const closing = ({ outTradeNo, reason, trace }: Closing): Moving => {
  const changes = Prisma.sql`closed_at = business_now(), close_reason = ${reason}::close_reason, prepay_leased_until = NULL`
  return { outTradeNo, move: 'close', changes, trace }
}

/** Closes an order here. The platform was asked first and says not paid. */
export const closeOrder = (pool: Pool, closed: Closing): Promise<boolean> => moveOrder(pool, closing(closed))
