import { column, execute, type Pool, Prisma, query } from '@meridian/db'

const { sql } = Prisma

/**
 * The job library compares `run_at` with the server's own clock, which nobody can move. In production both clocks are
 * the same; where the clock of the business was moved (tests, sandbox), these two lead from one to the other.
 */
const movedBy = sql`(business_now() - now())`

/** Now, as the queue counts. */
export const queueNowSql = sql`now()`
/** The moment at which the queue has to run what falls due at an instant of the business. */
export const queueTimeSql = (instant: Prisma.Sql): Prisma.Sql => sql`(${instant} - ${movedBy})`
/** The instant of the business for a moment that the queue keeps. */
export const businessTimeSql = (moment: Prisma.Sql): Prisma.Sql => sql`(${moment} + ${movedBy})`

/** The same, of a moment that a job was told. */
export async function businessTimeOf(pool: Pool, moment: Date): Promise<Date> {
  const told = sql`${moment}::timestamptz`
  const [row] = await execute(
    pool,
    query('read-business-time', sql`SELECT ${businessTimeSql(told)} AS at`, { at: column.instant }),
  )
  if (!row) throw new Error('a clock without a row')
  return row.at
}
