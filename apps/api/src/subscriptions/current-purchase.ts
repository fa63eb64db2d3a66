import { Prisma } from '@meridian/db'
import { unusedDaysSql } from './unused-days.ts'

/**
 * The last purchase of a user whose days are left, as an expression: none whose days were used up or taken back by a
 * refund. `columns` are read from the grant `purchase`; `userId` and `expiresAt` are of the subscription.
 */
export const currentPurchaseSql = (
  columns: Prisma.Sql,
  { userId, expiresAt }: { userId: Prisma.Sql; expiresAt: Prisma.Sql },
): Prisma.Sql => Prisma.sql`(
  SELECT ${columns} FROM grants purchase
  WHERE purchase.user_id = ${userId} AND purchase.kind = 'purchase' AND purchase.expires_after > business_now()
    AND ${expiresAt} > business_now() AND ${unusedDaysSql(Prisma.sql`purchase.order_id`)} > 0
  ORDER BY purchase.seq DESC LIMIT 1)`
