import { OrderStatus, OutTradeNo, PaymentChannel } from '@meridian/contracts'
import { column, execute, nullable, oneOf, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { filteredOrdersSql, newestOrdersFirst } from './list-orders.ts'

const { sql } = Prisma

const columns = {
  outTradeNo: column.text,
  userId: column.text,
  status: oneOf(OrderStatus.options),
  channel: oneOf(PaymentChannel.options),
  planCode: column.text,
  planName: column.text,
  durationDays: column.integer,
  amountFen: column.integer,
  refundedFen: column.integer,
  transactionId: nullable(column.text),
  createdAt: column.instant,
  expiresAt: column.instant,
  paidAt: nullable(column.instant),
  closedAt: nullable(column.instant),
  imported: column.boolean,
}

/** An order as other systems of the company read it, whoever owns it. */
export type AnyOrder = RowOf<typeof columns>

const columnsSql = sql`
  out_trade_no AS "outTradeNo", user_id::text AS "userId", status, channel, plan_code AS "planCode", plan_name AS "planName",
  duration_days AS "durationDays", amount_fen AS "amountFen", refunded_fen AS "refundedFen",
  transaction_id AS "transactionId", created_at AS "createdAt", expires_at AS "expiresAt", paid_at AS "paidAt",
  closed_at AS "closedAt", imported`

type Query = {
  from?: Date | undefined
  to?: Date | undefined
  status?: OrderStatus | undefined
  channel?: PaymentChannel | undefined
  limit: number
  cursor?: string | undefined
}

/**
 * Orders of everybody, newest first, at the same cost at any depth; of one channel and no beginning, those of 90 days.
 * Without those whose import was taken back.
 * @throws DomainError invalid_request for a cursor that is not of this list; range_too_wide after two seconds
 */
export async function listAllOrders(
  pool: Pool,
  query: Query,
): Promise<{ items: AnyOrder[]; nextCursor: string | null }> {
  const { items, nextCursor } = await readPage(
    pool,
    { sort: newestOrdersFirst, asked: query, columns },
    ({ position, page }) =>
      sql`SELECT ${columnsSql}, ${position} FROM ${filteredOrdersSql(query)} AND import_undone_at IS NULL AND ${page}`,
  )
  return { items, nextCursor }
}

/**
 * An order by its number, whoever owns it, unless its import was taken back.
 * @throws DomainError order_not_found
 */
export async function getAnyOrder(pool: Pool, outTradeNo: string): Promise<AnyOrder> {
  const canExist = OutTradeNo.safeParse(outTradeNo).success
  const [order] = canExist
    ? await execute(
        pool,
        query(
          'get-any-order',
          sql`SELECT ${columnsSql} FROM orders WHERE out_trade_no = ${outTradeNo} AND import_undone_at IS NULL`,
          columns,
        ),
      )
    : []
  if (!order) throw new DomainError('order_not_found')
  return order
}
