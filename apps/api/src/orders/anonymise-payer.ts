import { column, execute, type PoolClient, Prisma, query } from '@meridian/db'
import { isUnpaidSql } from './read-orders.ts'

const prefix = 'erased:'

/** What stands for the payer of an order once the account is erased: the keyed mark of the openid. */
export const anonymousPayer = (mac: string): string => `${prefix}${mac}`

/** Whether the account behind an order's payer was erased. */
export const isAnonymised = (payerOpenid: string): boolean => payerOpenid.startsWith(prefix)

/** The same of the order `o`, as a condition. */
export const isAnonymisedSql = Prisma.sql`starts_with(o.payer_openid, ${prefix})`

/**
 * What stands for the payer of this order once the account is erased; null before. The order is locked, so that an
 * erasure under way is waited for, and one that begins now finds what is written here.
 */
export async function findErasedPayer(client: PoolClient, outTradeNo: string): Promise<string | null> {
  const [order] = await execute(
    client,
    query(
      'find-erased-payer',
      Prisma.sql`SELECT payer_openid AS payer FROM orders WHERE out_trade_no = ${outTradeNo} FOR SHARE`,
      { payer: column.text },
    ),
  )
  return order && isAnonymised(order.payer) ? order.payer : null
}

/** Whether this person has an order that may still be paid, or a refund that is not at its end, or at two. */
export async function isStillBusy(client: PoolClient, userId: string): Promise<boolean> {
  const [row] = await execute(
    client,
    query(
      'has-open-business',
      Prisma.sql`
      SELECT EXISTS (
        SELECT 1 FROM orders o WHERE o.user_id = ${userId}::uuid AND (${isUnpaidSql('o')} OR EXISTS (
          SELECT 1 FROM refunds r WHERE r.order_id = o.id
            AND (r.status IN ('requested', 'approved', 'processing', 'abnormal')
              OR r.contradicted_by IS NOT NULL AND r.contradiction_decided_at IS NULL)))) AS busy`,
      { busy: column.boolean },
    ),
  )
  return row?.busy ?? false
}

/** Keeps a person's orders for the books, without the person. Answers their numbers. */
export const anonymisePayer = (client: PoolClient, userId: string, mac: string) =>
  execute(
    client,
    query(
      'forget-payer',
      Prisma.sql`
      UPDATE orders SET payer_openid = ${anonymousPayer(mac)} WHERE user_id = ${userId}::uuid
      RETURNING out_trade_no AS "outTradeNo"`,
      { outTradeNo: column.text },
    ),
  )
