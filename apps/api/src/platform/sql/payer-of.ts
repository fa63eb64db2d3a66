import { Prisma } from '@meridian/db'

const { sql } = Prisma

/** The user who made the order of this number, as an expression; null where there is no such order. */
export const payerOfOrderSql = (outTradeNo: Prisma.Sql): Prisma.Sql =>
  sql`(SELECT o.user_id FROM orders o WHERE o.out_trade_no = ${outTradeNo})`

/** The user who made the order of the refund of this number, as an expression; null where there is no such refund. */
export const payerOfRefundSql = (outRefundNo: Prisma.Sql): Prisma.Sql =>
  sql`(SELECT o.user_id FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.out_refund_no = ${outRefundNo})`
