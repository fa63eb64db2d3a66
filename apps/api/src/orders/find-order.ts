import { OutTradeNo } from '@meridian/contracts'
import { column, type Db, execute, nullable, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'

/** The columns of an order that its owner may see. */
export const orderView = {
  outTradeNo: true,
  status: true,
  planCode: true,
  planName: true,
  durationDays: true,
  amountFen: true,
  refundedFen: true,
  createdAt: true,
  expiresAt: true,
  paidAt: true,
  closedAt: true,
} satisfies Prisma.OrderSelect

export type OrderView = Prisma.OrderGetPayload<{ select: typeof orderView }>

/**
 * An order of this user.
 * @throws DomainError order_not_found, for another user's order exactly as for one that does not exist
 */
export async function getOwnOrder(db: Db, owner: { userId: string; outTradeNo: string }): Promise<OrderView> {
  const canExist = OutTradeNo.safeParse(owner.outTradeNo).success
  const order = canExist ? await db.order.findFirst({ where: owner, select: orderView }) : null
  if (!order) throw new DomainError('order_not_found')
  return order
}

/**
 * Where an order stands, whoever owns it.
 * @throws DomainError order_not_found
 */
export async function getOrderStatus(db: Db, outTradeNo: string) {
  const order = await db.order.findUnique({ where: { outTradeNo }, select: { status: true, parked: true } })
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
