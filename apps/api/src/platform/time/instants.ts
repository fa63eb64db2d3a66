import { type Db, Prisma } from '@meridian/db'

/** This very instant, where `business_now()` is the one at which the transaction began. */
export const thisInstantSql = Prisma.sql`(clock_timestamp() + (business_now() - now()))`

/** The instant at which the transaction at hand began, as everything that it writes is dated. */
export async function transactionTime(db: Db): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>(Prisma.sql`SELECT business_now() AS now`)
  if (!row) throw new Error('a clock without a row')
  return row.now
}
