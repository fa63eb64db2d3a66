import { type OrderMove, orderMoves } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { measureMove } from '../platform/measures/order-measures.ts'
import { appendEventsSql, type Trace } from './append-event.ts'

/**
 * The one writer of an order's status, as two named parts of a statement. `target` locks the order, whatever its
 * status, and shows the latest of it; `moved` is the order after the move, or no row when the move is not open.
 * `changes` are further assignments; they may read the order as `o` and the locked row as `t`.
 */
export function moveOrderSql(outTradeNo: string, move: OrderMove, changes: Prisma.Sql): Prisma.Sql {
  const { from, to } = orderMoves[move]
  return Prisma.sql`
    target AS (
      SELECT id, status, transaction_id FROM orders WHERE out_trade_no = ${outTradeNo} FOR UPDATE),
    moved AS (
      UPDATE orders o SET status = ${to}::order_status, ${changes}
      FROM target t WHERE o.id = t.id AND t.status = ANY(${[...from]}::order_status[])
      RETURNING o.*, t.status AS from_status)`
}

type Moving = {
  outTradeNo: string
  move: OrderMove
  changes: Prisma.Sql
  trace: Trace
  job?: (moved: Prisma.Sql) => { part: Prisma.Sql; id: Prisma.Sql }
  detail?: Prisma.Sql
}

/**
 * Moves an order and writes its timeline in one statement. `job` makes, of the relation of the moved order, a further
 * part of the statement and an expression that is evaluated for the moved order. Answers whether this call made the
 * move: false means somebody else was first.
 */
export async function moveOrder(
  pool: Pool,
  { outTradeNo, move, changes, trace, job, detail }: Moving,
): Promise<boolean> {
  const moved = Prisma.sql`moved`
  const { part, id } = job?.(moved) ?? { part: null, id: Prisma.sql`NULL` }
  const rows = await run<{ id: bigint }>(
    pool,
    `move-order-${move}`,
    Prisma.sql`
      WITH ${moveOrderSql(outTradeNo, move, changes)},
        recorded AS (${appendEventsSql(moved, { kind: move, trace, ...(detail && { detail }) })})${part ? Prisma.sql`, ${part}` : Prisma.empty}
      SELECT id, ${id} AS job FROM moved`,
  )
  if (rows.length === 1) measureMove(move)
  return rows.length === 1
}

/**
 * An order whose refund of `amountFen` (an expression) has succeeded: the sum grows, and with the last fen the status
 * moves. `target` and `moved` as above; `moved` also says which days of its grant are due back.
 */
export function moveRefundedOrderSql(orderId: Prisma.Sql, amountFen: Prisma.Sql): Prisma.Sql {
  const { from, to } = orderMoves.refund
  return Prisma.sql`
    target AS (SELECT id, status FROM orders WHERE id = ${orderId} FOR UPDATE),
    moved AS (
      UPDATE orders o SET refunded_fen = refunded_fen + ${amountFen},
        status = CASE WHEN refunded_fen + ${amountFen} = amount_fen THEN ${to}::order_status ELSE o.status END
      FROM target t WHERE o.id = t.id AND t.status = ANY(${[...from]}::order_status[])
      RETURNING o.*, t.status AS from_status)`
}
