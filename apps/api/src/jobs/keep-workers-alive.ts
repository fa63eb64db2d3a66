import { column, effect, execute, type Pool, Prisma, part, query, reading, statement } from '@meridian/db'
import { keptSinceSql } from '../platform/time/kept-since.ts'
import { businessTimeSql } from './queue-time.ts'

/** Says that these workers live, and forgets those of long ago. */
export const beat = (pool: Pool, workerIds: readonly string[]) =>
  execute(
    pool,
    query(
      'beat',
      Prisma.sql`
      WITH forgotten AS (DELETE FROM worker_heartbeats WHERE seen_at < ${keptSinceSql('worker_heartbeats')})
      INSERT INTO worker_heartbeats (worker_id) SELECT unnest(${[...workerIds]}::text[])
      ON CONFLICT (worker_id) DO UPDATE SET seen_at = business_now()`,
    ),
  )

/**
 * Gives back the jobs of workers that were not seen for a minute: they died without a word. The job library by
 * itself would wait for four hours. Answers how many workers were given up.
 */
export async function freeLostJobs(pool: Pool): Promise<number> {
  const lost = Prisma.sql`
    SELECT array_agg(DISTINCT j.locked_by) AS ids FROM graphile_worker._private_jobs j
    LEFT JOIN worker_heartbeats h ON h.worker_id = j.locked_by
    WHERE j.locked_by IS NOT NULL AND coalesce(h.seen_at, ${businessTimeSql(Prisma.sql`j.locked_at`)}) < business_now() - interval '60 seconds'`
  const freed = Prisma.sql`SELECT graphile_worker.force_unlock_workers(ids) FROM lost WHERE ids IS NOT NULL`
  const freeing = statement({
    name: 'free-lost-jobs',
    parts: [part('lost', [], lost), effect('freed', ['lost'], freed)],
    select: reading(['lost'], Prisma.sql`SELECT coalesce(cardinality(ids), 0) AS lost FROM lost`),
    rows: { lost: column.integer },
  })
  const [row] = await execute(pool, freeing)
  return row?.lost ?? 0
}
