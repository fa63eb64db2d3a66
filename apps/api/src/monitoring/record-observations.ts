import { execute, type Pool, Prisma, query } from '@meridian/db'
import { keptSinceSql } from '../platform/time/kept-since.ts'
import type { Observations } from './observations.ts'

/**
 * Adds what this process saw to what all of them saw, in steps of ten seconds by the database's clock. What cannot be
 * written is counted again for the next time.
 */
export async function recordObservations(pool: Pool, observations: Observations): Promise<void> {
  const counts = observations.take()
  if (counts.size === 0) return
  try {
    await execute(
      pool,
      query(
        'record-observations',
        Prisma.sql`
        INSERT INTO observation_counts (kind, at, count)
        SELECT kind, date_bin('10 seconds', business_now(), '2000-01-01'), count
        FROM unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::int[]) AS seen(kind, count) ORDER BY kind
        ON CONFLICT (kind, at) DO UPDATE SET count = observation_counts.count + excluded.count`,
      ),
    )
  } catch (error) {
    for (const [kind, count] of counts) observations.note(kind, count)
    throw error
  }
}

/** Forgets what no condition looks at any more. */
export const purgeObservations = (pool: Pool) =>
  execute(
    pool,
    query(
      'forget-observations',
      Prisma.sql`DELETE FROM observation_counts WHERE at < ${keptSinceSql('observation_counts')}`,
    ),
  )
