import { Prisma } from '@meridian/db'

/** `daysLeft` of the contracts, by the database's clock: 0 exactly when the subscription is over or never began. */
export const remainingDaysSql = (expiresAt: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`greatest(0, ceil(extract(epoch FROM ${expiresAt} - business_now()) / 86400))::int`
