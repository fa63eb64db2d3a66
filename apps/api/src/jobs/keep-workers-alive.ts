import { column, effect, execute, type Pool, Prisma, part, query, reading, statement } from '@meridian/db'
import type { WorkerEvents } from 'graphile-worker'
import { keptSinceSql } from '../platform/time/business-time.ts'
import type { Services } from '../services.ts'
import { businessTimeSql } from './read-queue.ts'

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

const beatEveryMs = 10_000

/**
 * Says every ten seconds that the workers of this process live, and frees the jobs of workers elsewhere that stopped
 * saying so. Answers how to stop.
 */
export function watchWorkers({ database, log }: Services, events: WorkerEvents): () => void {
  // Jobs are locked in the name of the pool or of one of its workers.
  const workerIds = new Set<string>()
  events.on('worker:stop', ({ worker }) => workerIds.delete(worker.workerId))
  const watch = async () => {
    if (workerIds.size > 0) await beat(database.pool, [...workerIds])
    const lost = await freeLostJobs(database.pool)
    if (lost > 0) log.warn({ component: 'jobs', workers: lost }, 'freed the jobs of lost workers')
  }
  const tick = () => {
    watch().catch((error: unknown) =>
      log.warn({ component: 'jobs', reason: String(error) }, 'heartbeat failed'),
    )
  }
  events.on('pool:create', ({ workerPool }) => {
    workerIds.add(workerPool.id)
    tick()
  })
  events.on('worker:create', ({ worker }) => workerIds.add(worker.workerId))
  const timer = setInterval(tick, beatEveryMs)
  return () => clearInterval(timer)
}
