import { type Connection, column, execute, nullable, Prisma, query, type RowOf } from '@meridian/db'

const payableOrder = {
  amountFen: column.integer,
  currency: column.text,
  appId: column.text,
  mchId: column.text,
  payerOpenid: column.text,
  transactionId: nullable(column.text),
}
export type PayableOrderRow = RowOf<typeof payableOrder>

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
