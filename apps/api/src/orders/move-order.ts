import { type CloseReason, type OrderMove, orderMoves, PaymentChannel } from '@meridian/contracts'
import {
  type Connection,
  column,
  execute,
  nullable,
  oneOf,
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
import { isAgreedSql, ordersOfPaymentsSql } from './agreed-terms.ts'
import { appendEventsPart, type Trace } from './append-event.ts'
import { isUnpaidByRowSql } from './read-orders.ts'

const { sql } = Prisma

/** What tells the payment of an order from every other: its attempt in virtual payment, else its transaction. */
export const paymentNoSql = (orders: 'o' | 'orders'): Prisma.Sql =>
  Prisma.raw(`coalesce(${orders}.paid_attempt_no, ${orders}.transaction_id)`)

const payableOrder = {
  outTradeNo: column.text,
  channel: oneOf(PaymentChannel.options),
  amountFen: column.integer,
  currency: column.text,
  appId: column.text,
  mchId: column.text,
  payerOpenid: column.text,
  /** What tells the payment that paid it from every other; null while it is not paid. */
  paymentNo: nullable(column.text),
  virtualProductId: nullable(column.text),
}
type PayableOrderRow = RowOf<typeof payableOrder>

/** By what a payment finds its order: the number it was paid under. */
export type PaidNumber = { channel: PaymentChannel; outTradeNo: string }

const termsSql = sql`
  SELECT o.out_trade_no AS "outTradeNo", o.channel, o.amount_fen AS "amountFen", o.currency, o.app_id AS "appId",
    o.mch_id AS "mchId", o.payer_openid AS "payerOpenid", ${paymentNoSql('o')} AS "paymentNo",
    o.virtual_product_id AS "virtualProductId"`

export const findPayableOrderQuery = ({ channel, outTradeNo }: PaidNumber) =>
  channel === 'jsapi'
    ? query(
        'find-payable-order',
        sql`${termsSql} FROM orders o WHERE o.out_trade_no = ${outTradeNo}`,
        payableOrder,
      )
    : query(
        'find-payable-order-of-attempt',
        sql`${termsSql} FROM order_attempts a JOIN orders o ON o.id = a.order_id WHERE a.number = ${outTradeNo}`,
        payableOrder,
      )

/** The one read of the paid transition: an order's terms by the number that was paid, through a unique index. */
export async function findPayableOrder(db: Connection, paid: PaidNumber): Promise<PayableOrderRow | null> {
  const [order = null] = await execute(db, findPayableOrderQuery(paid))
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
      SELECT id, status, ${paymentNoSql('orders')} AS payment_no FROM orders WHERE out_trade_no = ${outTradeNo} FOR UPDATE`,
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

/** What a payment writes into its order, and the columns of `moved`: of the order as `o`, of its payment as `t`. */
type Paying = { changes: Prisma.Sql; shown: Prisma.Sql }

/**
 * The same for the orders of many payments, each as agreed: `payments` has a row for each, with the number it was paid
 * under and the terms its order must have, null where any will do. `target` locks the unpaid orders that have these
 * terms, with their subscriptions, and shows where these stand; what somebody else holds is left out, so that nobody
 * waits in a group and no two groups wait for each other. `moved` is one order of each user after the move: a second
 * grant of a user would have to find what the first one left, and in one statement it does not.
 */
export const payOrdersParts = (channel: PaymentChannel, { changes, shown }: Paying) =>
  [
    part(
      'target',
      ['payments'],
      sql`
      SELECT o.id AS target_id, o.user_id AS buyer, o.status AS from_status, s.seq, s.expires_at AS expires_before, p.*
      FROM ${ordersOfPaymentsSql(channel)} JOIN subscriptions s ON s.user_id = o.user_id
      WHERE ${isUnpaidByRowSql('o')} AND NOT o.parked AND ${isAgreedSql(channel)}
      ORDER BY o.id FOR NO KEY UPDATE OF o, s SKIP LOCKED`,
    ),
    part(
      'moved',
      ['target'],
      sql`
      UPDATE orders o SET status = ${orderMoves.pay.to}::order_status, ${changes}
      FROM (SELECT DISTINCT ON (buyer) * FROM target ORDER BY buyer, target_id) t WHERE o.id = t.target_id
      RETURNING ${shown}`,
    ),
  ] as const

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
    name: `move-order-${move}${move === 'close' && follow ? '-and-watch' : ''}`,
    parts: [
      ...moveOrderParts(outTradeNo, move, changes),
      appendEventsPart(rowsOf('moved'), { kind: move, trace, ...(detail && { detail }) }),
      ...(follow ? [follow] : []),
    ],
    select: reading(['moved'], sql`SELECT channel FROM moved`),
    rows: { channel: oneOf(PaymentChannel.options) },
  })

/** Moves an order. Answers whether this call made the move: false means somebody else was first. */
export async function moveOrder(pool: Pool, moving: Moving): Promise<boolean> {
  const [moved] = await execute(pool, moveOrderStatement(moving))
  if (moved) measureMove(moving.move, moved.channel, moving.outTradeNo)
  return moved !== undefined
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

type Closing = {
  outTradeNo: string
  reason: CloseReason
  trace: Trace
  follow?: Moving['follow']
}

export const closing = ({ outTradeNo, reason, trace, follow }: Closing): Moving => {
  const changes = Prisma.sql`closed_at = business_now(), close_reason = ${reason}::close_reason, prepay_leased_until = NULL`
  return { outTradeNo, move: 'close', changes, trace, ...(follow && { follow }) }
}

/** Closes an order here. The platform was asked first and says not paid. */
export const closeOrder = (pool: Pool, closed: Closing): Promise<boolean> => moveOrder(pool, closing(closed))
