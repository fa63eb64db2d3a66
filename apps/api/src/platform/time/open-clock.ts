import { column, execute, type Pool, Prisma, query } from '@meridian/db'

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
