import type { IncomeReading } from '@meridian/contracts'
import { type Connection, column, execute, json, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { incomeAt, type OrderIncome } from './deferred-income.ts'

const { sql } = Prisma

const OrderId = z.string().transform(BigInt)
const Ledger = z.array(
  z.object({
    effectiveAt: z.coerce.date(),
    days: z.int(),
    orderId: OrderId.nullable(),
    isGivenBack: z.boolean(),
  }),
)
const Orders = z.array(
  z.object({
    orderId: OrderId,
    amountFen: z.int(),
    refunds: z.array(z.object({ succeededAt: z.coerce.date(), fen: z.int() })),
  }),
)

/** The income of these users' purchases at an instant, from their ledgers as they stand. */
export async function readIncomes(
  db: Connection,
  userIds: readonly string[],
  at: Date,
): Promise<OrderIncome[]> {
  const users = await execute(
    db,
    query(
      'read-incomes',
      sql`
      SELECT (
          SELECT coalesce(json_agg(json_build_object('effectiveAt', g.effective_at, 'days', g.days,
            'isGivenBack', g.kind = 'imported' AND g.days < 0,
            'orderId', coalesce(g.order_id, (SELECT order_id FROM refunds WHERE id = g.refund_id))::text) ORDER BY g.seq), '[]')
          FROM grants g WHERE g.user_id = s.user_id) AS ledger, (
          SELECT coalesce(json_agg(json_build_object('orderId', o.id::text, 'amountFen', o.amount_fen, 'refunds', (
            SELECT coalesce(json_agg(json_build_object('succeededAt', r.succeeded_at, 'fen', r.amount_fen)), '[]') FROM refunds r
            WHERE r.order_id = o.id AND r.succeeded_at IS NOT NULL AND r.second_payment_id IS NULL)) ORDER BY o.id), '[]')
          FROM grants g JOIN orders o ON o.id = g.order_id WHERE g.user_id = s.user_id AND g.kind = 'purchase' AND NOT o.imported) AS orders
      FROM subscriptions s WHERE s.user_id = ANY(${[...userIds]}::uuid[])`,
      { ledger: json(z.unknown()), orders: json(z.unknown()) },
    ),
  )
  return users.flatMap(({ ledger, orders }) =>
    incomeAt({ ledger: Ledger.parse(ledger), orders: Orders.parse(orders) }, at),
  )
}

/**
 * What of an order's money belongs to days that are over; null where it has no days.
 * @throws DomainError not_found
 */
export async function showOrderIncome(
  pool: Pool,
  { outTradeNo }: { outTradeNo: string },
  at: Date,
): Promise<IncomeReading | null> {
  const [order] = await execute(
    pool,
    query(
      'order-of-income',
      sql`SELECT id, user_id AS "userId" FROM orders WHERE out_trade_no = ${outTradeNo}`,
      { id: column.bigint, userId: column.text },
    ),
  )
  if (!order) throw new DomainError('not_found')
  const income = (await readIncomes(pool, [order.userId], at)).find(({ orderId }) => orderId === order.id)
  return income ? { recognisedFen: income.recognisedFen, deferredFen: income.deferredFen, readAt: at } : null
}
