import { Prisma } from '@meridian/db'

const { sql } = Prisma

// No statement that uses these expressions may call a table `paid` or `refunded`: the column it passes, such as `r.subject`,
// would then be read from the table in here.

/** The user who made the order of this number, as an expression; null where there is no such order. */
export const payerOfOrderSql = (outTradeNo: Prisma.Sql): Prisma.Sql =>
  sql`(SELECT paid.user_id FROM orders paid WHERE paid.out_trade_no = ${outTradeNo})`

/** The user who made the order of the refund of this number, as an expression; null where there is no such refund. */
export const payerOfRefundSql = (outRefundNo: Prisma.Sql): Prisma.Sql => sql`(
  SELECT paid.user_id FROM refunds refunded JOIN orders paid ON paid.id = refunded.order_id
  WHERE refunded.out_refund_no = ${outRefundNo})`
