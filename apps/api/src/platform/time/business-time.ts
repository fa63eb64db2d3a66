import { type Retained, retentionOf } from '@meridian/contracts'
import { column, type Db, execute, type Pool, Prisma, query } from '@meridian/db'

/**
 * The clock of the business, of which the database has the only setting: `business_now()`, for SQL, and this one, for
 * everything else. In production it is the machine's clock; tests and the sandbox move it.
 */
export type Clock = {
  now: () => Date
  /** How far it was ahead of the machine's when it was last read, in milliseconds. */
  aheadMs: () => number
  /** Reads how far the clock is ahead of the machine's, in milliseconds; what this process takes for now follows. */
  read: () => Promise<number>
}

/** The clock as it stands before it is read: the machine's own. */
export function openClock(pool: Pool, machineNow: () => Date): Clock {
  let aheadMs = 0
  return {
    aheadMs: () => aheadMs,
    now: () => new Date(machineNow().getTime() + aheadMs),
    read: async () => {
      const [row] = await execute(
        pool,
        query(
          'read-clock',
          Prisma.sql`SELECT extract(epoch FROM business_now() - now())::float8 * 1000 AS "aheadMs"`,
          { aheadMs: column.number },
        ),
      )
      aheadMs = Math.round(row?.aheadMs ?? 0)
      return aheadMs
    },
  }
}

/** This very instant, where `business_now()` is the one at which the transaction began. */
export const thisInstantSql = Prisma.sql`(clock_timestamp() + (business_now() - now()))`

/** Whether a transaction on this database has been under way for so long, whose rows may be dated as long ago. */
export const isTransactionOlderSql = (age: Prisma.Sql): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND xact_start < now() - ${age})`

/** The instant at which the transaction at hand began, as everything that it writes is dated. */
export async function transactionTime(db: Db): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>(Prisma.sql`SELECT business_now() AS now`)
  if (!row) throw new Error('a clock without a row')
  return row.now
}

/** The instant before which rows of this kind are kept no longer, as an expression. Months are those of UTC. */
export const keptSinceSql = (kind: Retained): Prisma.Sql =>
  Prisma.sql`(business_now() AT TIME ZONE 'UTC' - ${Prisma.raw(`interval '${retentionOf(kind)}'`)}) AT TIME ZONE 'UTC'`

/** `daysLeft` of the contracts, by the database's clock: 0 exactly when the subscription is over or never began. */
export const remainingDaysSql = (expiresAt: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`greatest(0, ceil(extract(epoch FROM ${expiresAt} - business_now()) / 86400))::int`

const CHINA_OFFSET_MS = 8 * 3_600_000
const DAY_MS = 86_400_000

/** The day before the one that this instant falls on in China, as YYYY-MM-DD. China knows no summer time. */
export const dayBefore = (instant: Date): string =>
  new Date(instant.getTime() + CHINA_OFFSET_MS - DAY_MS).toISOString().slice(0, 10)

/** An SQL condition: the instant falls on this day in China. A range, so that an index serves it. */
export const fallsOnSql = (instant: Prisma.Sql, date: string): Prisma.Sql => Prisma.sql`(
  ${instant} >= ${date}::date::timestamp AT TIME ZONE 'Asia/Shanghai'
  AND ${instant} < (${date}::date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')`
