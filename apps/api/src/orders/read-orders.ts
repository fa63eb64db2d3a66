import { isUnpaid, OrderStatus, OutTradeNo, PaymentChannel, unpaidStatuses } from '@meridian/contracts'
import { column, type Db, execute, nullable, oneOf, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { fromCursor, InstantKey, toPage } from '../platform/paging/keyset.ts'
import { utcTextSql } from '../platform/time/utc-text.ts'

const listed = unpaidStatuses.map((status) => `'${status}'`).join(', ')

/**
 * Whether an order may still be paid in the ordinary way, as a condition on the table `orders` is called here.
 * The statuses stand in the text and not among the values: the partial indexes of unpaid orders match only so.
 */
export const isUnpaidSql = (orders = 'orders'): Prisma.Sql => Prisma.raw(`${orders}.status IN (${listed})`)

const others = OrderStatus.options.filter((status) => !isUnpaid(status)).map((status) => `'${status}'`)

/**
 * The same in words that match no index, for orders that are found by something else: where few orders seem to be unpaid
 * the planner would otherwise walk through all of them.
 */
export const isUnpaidByRowSql = (orders: string): Prisma.Sql =>
  Prisma.raw(`${orders}.status NOT IN (${others.join(', ')})`)

/** The columns of an order that its owner may see. */
const orderView = {
  outTradeNo: true,
  status: true,
  channel: true,
  planCode: true,
  planName: true,
  durationDays: true,
  amountFen: true,
  refundedFen: true,
  createdAt: true,
  expiresAt: true,
  paidAt: true,
  closedAt: true,
  imported: true,
} satisfies Prisma.OrderSelect

export type OrderView = Prisma.OrderGetPayload<{ select: typeof orderView }>

/**
 * An order of this user.
 * @throws DomainError order_not_found, for another user's order, and for one whose import was taken back, exactly as for
 * one that does not exist
 */
export async function getOwnOrder(db: Db, owner: { userId: string; outTradeNo: string }): Promise<OrderView> {
  const canExist = OutTradeNo.safeParse(owner.outTradeNo).success
  const where = { ...owner, importUndoneAt: null }
  const order = canExist ? await db.order.findFirst({ where, select: orderView }) : null
  if (!order) throw new DomainError('order_not_found')
  return order
}

/**
 * Where an order stands, whoever owns it.
 * @throws DomainError order_not_found
 */
export async function getOrderStatus(db: Db, outTradeNo: string) {
  const order = await db.order.findUnique({
    where: { outTradeNo },
    select: { status: true, parked: true, channel: true },
  })
  if (!order) throw new DomainError('order_not_found')
  return order
}

/** Whether an order is parked and why; null when there is no such order. */
export async function findParking(
  pool: Pool,
  outTradeNo: string,
): Promise<{ parkReason: string | null } | null> {
  const rows = await execute(
    pool,
    query(
      'find-parking',
      Prisma.sql`SELECT park_reason AS "parkReason" FROM orders WHERE out_trade_no = ${outTradeNo}`,
      { parkReason: nullable(column.text) },
    ),
  )
  return rows[0] ?? null
}

const listedColumns = {
  id: column.bigint,
  outTradeNo: column.text,
  status: oneOf(OrderStatus.options),
  channel: oneOf(PaymentChannel.options),
  planCode: column.text,
  planName: column.text,
  durationDays: column.integer,
  amountFen: column.integer,
  refundedFen: column.integer,
  createdAt: column.instant,
  sortKey: column.text,
  expiresAt: column.instant,
  paidAt: nullable(column.instant),
  closedAt: nullable(column.instant),
  imported: column.boolean,
}

type Query = { userId: string; limit: number; cursor?: string | undefined }

/** A user's orders, newest first, at the same cost at any depth; without those whose import was taken back. */
export async function listOwnOrders(pool: Pool, { userId, limit, cursor }: Query) {
  const [createdAt, id] = cursor ? fromCursor(cursor, InstantKey).position : ['infinity', '0']
  const rows = await execute(
    pool,
    query(
      'list-own-orders',
      Prisma.sql`
      SELECT id, out_trade_no AS "outTradeNo", status, channel, plan_code AS "planCode", plan_name AS "planName",
        duration_days AS "durationDays", amount_fen AS "amountFen", refunded_fen AS "refundedFen",
        created_at AS "createdAt", ${utcTextSql(Prisma.sql`created_at`)} AS "sortKey", expires_at AS "expiresAt", paid_at AS "paidAt",
        closed_at AS "closedAt", imported
      FROM orders
      WHERE user_id = ${userId}::uuid AND import_undone_at IS NULL AND (created_at, id) < (${createdAt}::timestamptz, ${id}::bigint)
      ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
      listedColumns,
    ),
  )
  return toPage(rows, limit, (row) => [row.sortKey, String(row.id)])
}
