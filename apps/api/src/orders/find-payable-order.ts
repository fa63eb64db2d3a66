import { type Connection, Prisma, run } from '@meridian/db'

export type PayableOrderRow = {
  amountFen: number
  currency: string
  appId: string
  mchId: string
  payerOpenid: string
  transactionId: string | null
}

/** The one read of the paid transition: an order's terms by its number, through the unique index. */
export async function findPayableOrder(db: Connection, outTradeNo: string): Promise<PayableOrderRow | null> {
  const rows = await run<PayableOrderRow>(
    db,
    'find-payable-order',
    Prisma.sql`
      SELECT amount_fen AS "amountFen", currency, app_id AS "appId", mch_id AS "mchId",
             payer_openid AS "payerOpenid", transaction_id AS "transactionId"
      FROM orders WHERE out_trade_no = ${outTradeNo}`,
  )
  return rows[0] ?? null
}

/** The order of this number as a relation that timeline entries can be written from, without moving it. */
export const orderSnapshotSql = (outTradeNo: string): Prisma.Sql =>
  Prisma.sql`(SELECT id, status AS from_status, status, created_at FROM orders WHERE out_trade_no = ${outTradeNo})`
